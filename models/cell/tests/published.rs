//! Rule files as people published them: what CD++ takes beside the language of its manual.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{agree, logged, parse, plane};
use imminent_cell::rules::Model;
use std::path::Path;

/// The warnings of a model, without its name.
fn warnings(model: &Model) -> Vec<String> {
    model.warnings().iter().map(|warning| format!("{}: {}", warning.line, warning.message)).collect()
}

#[test]
fn included_files_give_macros_and_their_notes_are_passed_over() {
    let include = "Speed of travel\n\n#BeginMacro(speed)\n12\n#EndMacro\n*** the end ***\n";
    let text =
        plane("dim : (1,2)", "rule : { 4 } #macro(speed) { (0,0) = 0 }\n# NOTES\n#  x = y : z\nrule : 4 1 { t }");
    let model = Model::parse("a.ma", &format!("#include(a.inc)\n{text}"), &|_| Ok(include.to_owned())).unwrap();
    assert_eq!(agree(&model, 0, 100).times, [12, 12]);
    let told = warnings(&model);
    assert!(told[0].starts_with("1: lines outside of macros are passed over"), "{told:?}");
    assert!(told[1].contains("lines that begin with `#`") && told[1].contains(": 2, "), "{told:?}");
}

/// In CD++ the line `#EndMacro#BeginMacro(b)` ends the macro `a` and begins none.
#[test]
fn an_end_of_no_macro_is_passed_over() {
    let include = "#BeginMacro(a)\n7\n#EndMacro#BeginMacro(b)\n8\n#EndMacro\n";
    let read = |rules: &str| {
        let text = format!("#include(a.inc)\n{}", plane("dim : (1,2)", rules));
        Model::parse("a.ma", &text, &|_| Ok(include.to_owned()))
    };
    let model = read("rule : 4 #macro(a) { (0,0) = 0 }\nrule : 4 1 { t }").unwrap();
    assert_eq!(agree(&model, 0, 100).times, [7, 7]);
    let told = warnings(&model);
    assert_eq!(told[0], "5: `#EndMacro` without `#BeginMacro` is passed over, as in CD++");
    assert!(told[1].starts_with("4: lines outside of macros are passed over, as in CD++: 1"), "{told:?}");
    let error = read("rule : 4 #macro(b) { t }").unwrap_err().to_string();
    assert!(error.contains("there is no macro `B`"), "{error}");
}

#[test]
fn sections_of_one_name_are_one() {
    let text = "[top]\ncomponents : c\n[c]\ntype : cell\ndim : (2,2)\nneighbors : c(0,0)\nlocaltransition : C note\n\
                [other]\nnote {30} 100 {t}\n[c]\nrule : 5 7 { t }\n[top]\nin : x\n";
    let model = parse(text).unwrap();
    assert_eq!(agree(&model, 0, 100).values, [5.0; 4]);
    assert!(warnings(&model)[0].starts_with("9: a line before the first entry"), "{:?}", warnings(&model));
}

#[test]
fn zones_of_all_cells_need_no_local_transition() {
    let lines = "dim : (2,2)\nzone : a { (0,0)..(0,1) }\nzone : b { (1,0)..(1,1) }";
    let rules = "rule : 9 1 { (0,0,0) = 1 }\n[a]\nrule : 1 1 { t }\n[b]\nrule : 2 1 { t }";
    let model = parse(&plane(lines, rules)).unwrap();
    assert_eq!(agree(&model, 0, 10).values, [1.0, 1.0, 2.0, 2.0]);
    assert!(warnings(&model)[0].contains("rules that no cell has"), "{:?}", warnings(&model));
    let without = plane(lines, rules).replace("localtransition : r\n", "");
    assert_eq!(agree(&parse(&without).unwrap(), 0, 10).values, [1.0, 1.0, 2.0, 2.0]);
    let error = parse(&without.replace("(1,1) }", "(1,0) }")).unwrap_err().to_string();
    assert!(error.contains("`localtransition` is missing"), "{error}");
}

#[test]
fn a_zone_of_three_dots_is_one_of_two() {
    let lines = "dim : (2,3)\nzone : a { (0,0)...(0,1) (1,2) ... (1,1) }";
    let model = parse(&plane(lines, "rule : 9 1 { t }\n[a]\nrule : 1 1 { t }")).unwrap();
    assert_eq!(agree(&model, 0, 10).values, [1.0, 1.0, 9.0, 9.0, 1.0, 1.0]);
}

#[test]
fn a_file_is_found_in_letters_of_another_case_and_values_outside_are_passed_over() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("letters");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("Values.VAL"), "(0,1) = 3 7 0\n(2,0) = 4\n(0,9) = 4\n").unwrap();
    let text = plane("dim : (2,2)\ninitialcellsvalue : values.val", "rule : { (0,0) } 1 { t }");
    std::fs::write(folder.join("a.ma"), text).unwrap();
    let model = Model::read(&folder.join("a.ma")).unwrap();
    assert_eq!(model.initial(), [0.0, 3.0, 0.0, 0.0]);
    let told = warnings(&model);
    assert!(told[0].contains("`values.val` is read from `Values.VAL`"), "{told:?}");
    assert!(told[1].starts_with("1: words after the value"), "{told:?}");
    assert!(told[2].starts_with("2: values of cells outside the space of [2, 2] cells"), "{told:?}");
}

#[test]
fn bytes_that_are_no_utf_8_are_letters_of_windows_1252() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("western");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("energía.VAL"), "(0,1) = 3\n").unwrap();
    let western = |text: &str| text.chars().map(|letter| u8::try_from(letter).unwrap()).collect::<Vec<u8>>();
    // Zones whose names differ in one such letter.
    let lines = "dim : (2,2)\ninitialcellsvalue : Energía.val\nzone : año { (0,0)..(0,1) }\nzone : aÑo { (1,0) }\n\
                 zone : aço { (1,1) }";
    let rules = "rule : 9 1 { t }\n[año]\nrule : { (0,0) + 1 } 1 { (0,0) < 4 }\nrule : { (0,0) } 1 { t }\n\
                 [aço]\nrule : 7 2 { t } % días";
    let path = folder.join("a.ma");
    std::fs::write(&path, western(&plane(lines, rules))).unwrap();
    let model = Model::read(&path).unwrap();
    assert_eq!(agree(&model, 0, 100).values, [4.0, 4.0, 4.0, 7.0]);
    // The column counts letters, not bytes.
    std::fs::write(&path, western(&plane("dim : (2,2) % ñandú\nborder : añadido", "rule : 1 1 { t }"))).unwrap();
    let error = Model::read(&path).unwrap_err().to_string();
    assert!(error.contains("a.ma:7:10") && error.contains("border : añadido\n  │          ^^^^^^^"), "{error}");
}

/// Rain on two lines of cells, the second of which receives what leaves the first, and a third line for itself.
const LINES: &str = "[top]
components : pump@Pump upper lower tap@generator apart
in : rain
out : level
link : rain in@upper(0,0)
link : gauge@upper in@lower(0,0)
link : gauge@upper level
link : gauge@upper in@pump
link : out@pump gone
link : out@tap in@apart
";

/// A line of cells in which values go to the right.
fn line(name: &str, cells: u32, more: &str) -> String {
    format!(
        "[{name}]\ntype : cell\ndim : (1,{cells})\ndelay : transport\ndefaultDelayTime : 2\n\
         neighbors : {name}(0,0) {name}(0,-1)\nout : gauge\nlink : out@{name}(0,{}) gauge\n{more}localtransition : right\n",
        cells - 1
    )
}

const RIGHT: &str = "[right]\nrule : { (0,-1) } 5 { (0,-1) > (0,0) }\nrule : { (0,0) } 0 { t }\n";

#[test]
fn a_cell_space_to_which_no_other_component_sends_runs_by_itself() {
    let tap = "[tap]\ndistribution : constant\nvalue : 0.02\n";
    let spaces = [line("upper", 4, ""), line("lower", 3, ""), line("apart", 2, "link : in in@apart(0,1)\n")];
    let text = [LINES, &spaces.concat(), tap, RIGHT].concat();
    let read = |component: Option<&str>| {
        let none = |name: &str| Err(std::io::Error::new(std::io::ErrorKind::NotFound, name.to_owned()));
        Model::parse_component("lines.ma", &text, &none, component)
    };
    let refused = |component| read(component).unwrap_err().to_string();
    let several = refused(None);
    assert!(several.contains("several cell spaces") && several.contains("`upper`, `lower`, `apart`"), "{several}");
    assert!(refused(Some("pump")).contains("no cell space `pump`"));
    let coupled = refused(Some("Lower"));
    assert!(coupled.contains("`lower` does not run without the cell space `upper`, which sends to it"), "{coupled}");
    assert!(coupled.contains("lines.ma:2:24"), "{coupled}");
    // The same line in a file of its own.
    let rain = "0:0:0:1 rain 3\n0:0:0:30 rain 4\n";
    let only = |top: &str, space: &str| parse(&[top, space, tap, RIGHT].concat()).unwrap();
    let mut upper = read(Some("UPPER")).unwrap();
    let mut alone = only(
        "[top]\ncomponents : upper\nin : rain\nout : level\nlink : rain in@upper(0,0)\nlink : gauge@upper level\n",
        &spaces[0],
    );
    for model in [&mut upper, &mut alone] {
        model.set_events("rain.ev", rain).unwrap();
    }
    assert_eq!(agree(&upper, 1, 100).digest(), agree(&alone, 1, 100).digest());
    assert_eq!(agree(&upper, 1, 100).values, [4.0; 4]);
    let told = warnings(&upper);
    for words in [
        "2: `pump`, `lower`, `apart`: not run; nothing that they send comes to `upper`",
        "6: what `upper` sends to `lower(0,0)`, `pump` is not recorded: these do not run",
    ] {
        assert!(told.iter().any(|told| told.starts_with(words)), "{words}: {told:?}");
    }
    // As in CD++, cells of the spaces before count: pump 2, upper 3 to 7, lower 8 to 11, tap 12.
    let apart = read(Some("apart")).unwrap();
    let (log, _) = logged(&apart, 1, 30);
    assert!(log.starts_with("Mensaje Y / 00:00:00:022 / apart(0,1)(15) / out /      1.00000 para apart(13)"), "{log}");
}

#[test]
fn generators_draw_their_intervals_alike_for_all_engines() {
    let drop = |distribution: &str| {
        format!(
            "[top]\ncomponents : tap@Generator c\nlink : out@tap in@c(0,1)\nlink : out@tap gone\nout : gone\n\
             [tap]\ndistribution : {distribution}\ninitial : 1\nincrement : 1\n[c]\ntype : cell\ndim : (1,3)\n\
             delay : transport\nneighbors : c(0,0) c(0,-1)\nlocaltransition : keep\nportInTransition : in@c(0,1) take\n\
             [keep]\nrule : {{ (0,0) }} 0 {{ t }}\n[take]\nrule : {{ portValue(thisPort) }} 1 {{ t }}\n"
        )
    };
    let cases = [
        ("exponential\nmean : 2", 0.7_f64..1.3),
        ("poisson\nmean : 2", 0.6..1.0),
        ("normal\nmean : 2\ndeviation : 0.5", 0.9..1.1),
        ("chi\ndegreesfreedom : 2", 0.7..1.3),
        ("constant\nvalue : 2", 0.99..1.01),
    ];
    for (distribution, share) in cases {
        let model = parse(&drop(distribution)).unwrap();
        let outcome = agree(&model, 5, 200_000);
        let inputs = outcome.outputs as f64 / 100.0;
        assert!(share.contains(&inputs), "{distribution}: {inputs}");
        // The value counts what was sent, and a seed of its own draws other times.
        assert!(outcome.values[1] >= outcome.outputs as f64);
        let other = agree(&model, 6, 200_000);
        assert_eq!(outcome.digest() == other.digest(), distribution.starts_with("constant"), "{distribution}");
        assert!(warnings(&model)[0].contains("what the generator `tap` sends to `gone` is not recorded"));
    }
}

#[test]
fn what_a_cell_sends_by_a_port_of_its_own_is_no_value() {
    let text = "[top]\ncomponents : c\nout : gone\nlink : gone@c gone\n[c]\ntype : cell\ndim : (1,2)\ndelay : inertial\n\
                neighbors : c(0,0)\nout : gone\nlink : gone@c(0,1) gone\nlocaltransition : r\n\
                [r]\nrule : { (0,0) + 1 + send(gone, (0,0)) } 10 { (0,0) < 3 }\nrule : { (0,0) } 0 { t }\n";
    let model = parse(text).unwrap();
    assert_eq!(agree(&model, 0, 100).values, [3.0, 3.0]);
    assert_eq!(logged(&model, 0, 100).1, "");
    let told = warnings(&model).join("\n");
    assert!(told.contains("by the port `gone` is not recorded") && told.contains("`send`"), "{told}");
}

#[test]
fn a_neighbourhood_has_hundreds_of_cells() {
    let around = |reach: i32| (-reach..=reach).flat_map(move |row| (-reach..=reach).map(move |column| (row, column)));
    let neighbours: String = around(8).map(|(row, column)| format!("neighbors : c({row},{column})\n")).collect();
    let text = format!(
        "[top]\ncomponents : c\n[c]\ntype : cell\ndim : (20,30)\ndelay : inertial\nborder : nowrapped\n{neighbours}\
         initialrowvalue : 3 000000010000000000000000000000\nlocaltransition : r\n\
         [r]\nrule : {{ stateCount(1) + (8,8) }} 10 {{ (0,0) = 0 and stateCount(1) > 0 }}\nrule : {{ (0,0) }} 0 {{ t }}\n"
    );
    let outcome = agree(&parse(&text).unwrap(), 0, 50);
    assert!(outcome.outputs > 200);
}
