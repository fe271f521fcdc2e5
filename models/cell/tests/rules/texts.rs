//! Texts of rule files: mistakes that are marked, warnings, and the memory that reading takes.

use super::common::{agree, cpu, parse, plane};
use super::{heap, rain};
use imminent_cell::Engine;
use imminent_cell::rules::Model;
use std::ops::ControlFlow;
use std::path::Path;

#[test]
fn rows_begin_with_digits_or_values() {
    let lines = "dim : (3,4)\ninitialvalue : 7\ninitialrow : 2  1  -0.5 ? 4\ninitialrowvalue : 0 12?4";
    let values = parse(&plane(lines, "rule : 1 1 { t }")).unwrap().initial().to_vec();
    assert_eq!(values[4..10], [7.0, 7.0, 7.0, 7.0, 1.0, -0.5]);
    assert_eq!((&values[..2], values[3], values[11]), (&[1.0, 2.0][..], 4.0, 4.0));
    assert!(values[2].is_nan() && values[10].is_nan());
}

#[test]
fn errors_mark_the_place() {
    let rule = |rule: &str| parse(&plane("dim : (3,3)\ndelay : inertial", rule)).unwrap_err().to_string();
    let texts = [
        ("unknown name", rule("rule : { (0,0) + fo(1) } 10 { t }")),
        ("no neighbour", rule("rule : 1 10 { (0,2) = 1 }")),
        ("coordinates", rule("rule : 1 10 { (0,0,1) = 1 }")),
        ("ends early", rule("rule : { (0,0) + } 10 { t }")),
        ("no condition", rule("rule : 1 10")),
        ("number for condition", rule("rule : 1 10 { (0,0) }")),
        ("condition for number", rule("rule : { (0,0) = 1 } 10 { t }")),
        ("open bracket", rule("rule : 1 10 { ((0,0) = 1 }")),
        ("ports", rule("rule : { ~value := 1; } 10 { t }")),
        ("arguments", rule("rule : { max(1) } 10 { t }")),
        ("tuple", rule("rule : { [1, 2] } 10 { t }")),
        ("over several lines", rule("rule : { 1 +\n   2 + ) } 10 { t }")),
        ("strange character", rule("rule : { 1 & 2 } 10 { t }")),
        ("no macro", rule("rule : { #macro(none) } 10 { t }")),
        ("no rules", parse(&plane("dim : (3,3)", "")).unwrap_err().to_string()),
        (
            "zone outside",
            parse(&plane("dim : (3,3)\nzone : r { (0,0)..(3,3) }", "rule : 1 1 { t }")).unwrap_err().to_string(),
        ),
        (
            "no file",
            parse(&plane("dim : (3,3)\ninitialcellsvalue : a.val", "rule : 1 1 { t }")).unwrap_err().to_string(),
        ),
        ("no cells", parse("[top]\ncomponents : a@b\n").unwrap_err().to_string()),
        ("no dimensions", parse(&plane("delay : inertial", "rule : 1 1 { t }")).unwrap_err().to_string()),
        (
            "row too short",
            parse(&plane("dim : (3,3)\ninitialrow : 0 1 0.5", "rule : 1 1 { t }")).unwrap_err().to_string(),
        ),
        (
            "row of letters",
            parse(&plane("dim : (3,3)\ninitialrowvalue : 0 1x0", "rule : 1 1 { t }")).unwrap_err().to_string(),
        ),
        ("bad border", parse(&plane("dim : (3,3)\nborder : soft", "rule : 1 1 { t }")).unwrap_err().to_string()),
    ];
    let text: String = texts.iter().map(|(what, text)| format!("## {what}\n{text}\n\n")).collect();
    insta::assert_snapshot!(text);
}

#[test]
fn a_place_in_an_included_macro_is_marked_in_its_file() {
    let include = "#BeginMacro(wrong)\n  1 +\n  nothing\n#EndMacro\n";
    let text = format!("#include(a.inc)\n{}", plane("dim : (3,3)", "rule : { #macro(wrong) } 10 { t }"));
    let error = Model::parse("model.ma", &text, &|_| Ok(include.to_owned())).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn an_expression_that_is_too_deep_for_a_device_is_refused() {
    let deep = "(1 + random * ".repeat(30) + "1" + &")".repeat(30);
    let model = parse(&plane("dim : (2,2)", &format!("rule : {{ {deep} }} 10 {{ t }}"))).unwrap();
    let error = model.run(&cpu(), Engine::Step, 0, 100, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().contains("intermediate values"), "{error}");
    assert!(model.run_sequentially(0, 100).is_ok());
}

#[test]
fn errors_in_links_mark_the_place() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    let right = rain("out@rain input@plane");
    let texts = [
        error(&rain("out@snow input@plane")),
        error(&rain("out@rain")),
        error(&rain("out@rain input@elsewhere")),
        error(&right.replace("constant", "binomial")),
        error(&right.replace("value : 2", "value : often")),
        error(&right.replace("portInTransition : in@plane(4,4) pour", "")),
        error(&right.replace("link : input in@plane(4,4)", "link : input in@plane(9,4)")),
        error(&right.replace("plane(4,4) pour", "plane(4,4) nothing")),
    ];
    insta::assert_snapshot!(texts.join("\n\n"));
}

/// An input that leads nowhere is a warning: CD++ drops what comes to it.
#[test]
fn an_input_that_leads_nowhere_is_a_warning() {
    let text = rain("out@rain input@plane").replace("link : input in@plane(4,4)", "link : other in@plane(4,4)");
    let model = parse(&text).unwrap();
    let warnings: Vec<String> = model.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["model.ma, line 3: the input `input` of `plane` leads to no cell"]);
}

/// Parses a model whose files have these texts.
fn with_files(text: &str, files: &[(&str, &str)]) -> Model {
    let load = |name: &str| Ok(files.iter().find(|file| file.0 == name).unwrap().1.to_owned());
    Model::parse("model.ma", text, &load).unwrap()
}

#[test]
fn what_cd_passes_over_is_a_warning() {
    // Two directives on a line, `select` among rules, lines of a file of values that give none, a map that is too long.
    let text = |file: &str| {
        let lines = format!("dim : (2,2)\ndelay : inertial border : wrapped defaultDelayTime : 7\n{file} spin : 3");
        plane(&lines, "rule : 1 1 { (0,0) = 9 } rule : { (0,0) }\n 0 { t }\nselect : (0,0)")
            .replace("c(1,1)\n", "c(1,1) ")
    };
    let warnings = |model: &Model| model.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let values = "(0,1) = 5\n/% a note\nnothing\n% a comment\n(1,0)=9\n";
    let model = with_files(&text("initialcellsvalue : a.val"), &[("a.val", values)]);
    assert_eq!(model.initial(), [0.0, 5.0, 9.0, 0.0]);
    assert_eq!(model.space().border(), imminent_cell::Border::Wrapped);
    assert_eq!(agree(&model, 1, 10).values, [0.0, 5.0, 1.0, 0.0]);
    let map = with_files(&text("initialmapvalue : a.map"), &[("a.map", "1\n2\n\n3\n4\n5\n6")]);
    assert_eq!(map.initial(), [1.0, 2.0, 3.0, 4.0]);
    insta::assert_snapshot!(format!("{}\n\n{}", warnings(&model), warnings(&map)));
}

#[test]
fn macros_inside_macros_make_no_text_without_end() {
    let long = format!("#BeginMacro(m0)\n{}\n#EndMacro\n", "+ 1 ".repeat(15_000));
    let nested = |at: u32| format!("#BeginMacro(m{})\n{}\n#EndMacro\n", at + 1, format!("#macro(m{at})").repeat(10));
    let macros: String = [long].into_iter().chain((0..9).map(nested)).collect();
    let text = format!("{macros}{}", plane("dim : (3,3)", "rule : { 1 #macro(m9) } 10 { t }"));
    let error = parse(&text).unwrap_err().to_string();
    assert!(error.contains("a text of more than 64 MiB") && error.contains("model.ma:"), "{error}");
    // Uses that make no text have an end too.
    let error = Model::parse("loop.ma", "#include(loop.ma)\n", &|_| Ok("#include(loop.ma)\n".repeat(9))).unwrap_err();
    assert!(error.to_string().contains("included too deeply"), "{error}");
}

#[test]
fn long_sums_are_refused_or_read_in_groups() {
    let rule = |sum: &str| {
        parse(&plane(
            "dim : (1,1)\ninitialvalue : 0.5",
            &format!("rule : {{ {sum} }} 10 {{ time = 0 }}\nrule : {{ (0,0) }} 0 {{ t }}"),
        ))
    };
    let terms = |count: usize| vec!["(0,0)"; count].join(" + ");
    let error = rule(&terms(20_000)).unwrap_err().to_string();
    assert!(error.contains("more than 1024 operations") && error.contains("brackets"), "{error}");
    let groups = vec![format!("({})", terms(1_000)); 20].join(" + ");
    assert_eq!(agree(&rule(&groups).unwrap(), 1, 10).values, [10_000.0]);
    let brackets = rule(&("(".repeat(5_000) + "1" + &")".repeat(5_000))).unwrap_err().to_string();
    assert!(brackets.contains("nested too deeply"), "{brackets}");
}

#[cfg(unix)]
#[test]
fn files_outside_the_folder_of_a_model_are_not_shown() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("elsewhere");
    let inside = folder.join("model");
    std::fs::create_dir_all(&inside).unwrap();
    let secret = "#BeginMacro(m)\nfirst\n#EndMacro\nroot:x:0\n";
    std::fs::write(folder.join("secret.txt"), secret).unwrap();
    std::fs::write(inside.join("mine.inc"), secret).unwrap();
    let link = inside.join("link.inc");
    if !link.exists() {
        std::os::unix::fs::symlink(folder.join("secret.txt"), &link).unwrap();
    }
    let error = |include: &str| {
        let text = plane("dim : (2,2)", "rule : { #macro(m) } 1 { t }");
        std::fs::write(inside.join("model.ma"), format!("#include({include})\n{text}")).unwrap();
        Model::read(&inside.join("model.ma")).unwrap_err().to_string()
    };
    for include in ["../secret.txt", "link.inc"] {
        let text = error(include);
        assert!(text.starts_with(&format!("{include}, line 2: ")) && !text.contains("first"), "{text}");
    }
    assert!(error("mine.inc").contains("2 │ first"));
    assert!(error("/dev/zero").contains("is a device, not a regular file"));
    std::fs::write(
        inside.join("model.ma"),
        plane("dim : (2,2)\ninitialcellsvalue : ../secret.txt", "rule : 1 1 { t }"),
    )
    .unwrap();
    let model = Model::read(&inside.join("model.ma")).unwrap();
    assert!(!model.warnings()[0].to_string().contains("root"));
}

#[test]
fn a_space_that_does_not_fit_into_memory_is_refused() {
    let error = parse(&plane("dim : (65000,65000)", "rule : 1 1 { t }")).unwrap_err().to_string();
    assert!(error.contains("number of cells 4225000000: the run would need 608 GB"), "{error}");
}

/// A reader that copies the text for each of its lines allocates four times as much for one twice as long.
#[test]
fn reading_allocates_in_proportion_to_the_text() {
    let bytes = |rules: usize| {
        let text = plane("dim : (3,3)", &"rule : { (0,0) + 1 } 10 { (0,0) > 2 }\n".repeat(rules));
        heap::allocated(|| parse(&text).unwrap()) as f64
    };
    let (once, twice) = (bytes(1_000), bytes(2_000));
    assert!(twice < 2.2 * once, "{once} bytes, and {twice} for a text twice as long");
}
