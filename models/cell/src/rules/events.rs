//! External events: values that come to inputs of the top model, as CD++ reads them by its option `-e`.

use super::error::{Built, Problem, RuleFileError, Span};
use super::lines::{lines, words};
use super::model::Model;
use super::port_value::CellEvent;
use super::ports::Inlet;
use super::single;
use super::source::{Loaded, Sources, text_of};
use super::time::{NoTime, Time};
use imminent_common::input;
use std::path::Path;

/// An event of a file.
struct Event<'a> {
    time: Time,
    inlet: &'a Inlet,
    /// NaN if undefined.
    value: f64,
}

impl Model {
    /// Reads external events from a file, as [`set_events`](Self::set_events) takes them from a text.
    ///
    /// # Errors
    /// [`RuleFileError`].
    pub fn read_events(&mut self, path: &Path) -> Result<(), RuleFileError> {
        let name = path.display().to_string();
        self.set_events(&name, &input::text_of_any_encoding(path)?)
    }

    /// Replaces the external events by those of a text with lines `HH:MM:SS:mmm PORT VALUE`, in any order.
    ///
    /// `PORT` is an input of the top model that is linked to ports of cells, and `VALUE` a number or `?`. Everything
    /// after `%` is a comment. Of events that come to one cell at one time the first counts, before the inputs of
    /// generators. Events after the horizon of a run do not come.
    ///
    /// # Errors
    /// [`RuleFileError::At`]: a line that is no event, or an input that does not exist. The model keeps the events that
    /// it had.
    pub fn set_events(&mut self, name: &str, text: &str) -> Result<(), RuleFileError> {
        let mut sources = Sources::empty();
        let file = sources.add(name, &Loaded { text: text.to_owned(), elsewhere: false, found_as: None });
        let read = |line: Span| event(&sources, &line, self);
        let events: Built<Vec<Event<'_>>> = lines(&sources, &file).into_iter().map(read).collect();
        let events = events.map_err(|problem| problem.render(&sources))?;
        let inputs = |event: &Event<'_>| {
            let (Time(time), value) = (event.time, event.value);
            let come = move |&(cell, rules): &(u32, u32)| CellEvent { time, cell, rules, value };
            event.inlet.reaches.iter().map(come).collect::<Vec<_>>()
        };
        let mut inputs: Vec<CellEvent> = events.iter().flat_map(inputs).collect();
        inputs.sort_by_key(|event| event.time);
        self.replace_events(inputs);
        Ok(())
    }
}

fn event<'a>(sources: &Sources, line: &Span, model: &'a Model) -> Built<Event<'a>> {
    let words = words(sources, line);
    let [time, port, value] = words.as_slice() else {
        let problem = Problem::new(line.clone(), "a line is no event", "expected `HH:MM:SS:mmm PORT VALUE`");
        return Err(problem.note("an event has a time, an input of the model and a value"));
    };
    Ok(Event { time: self::time(sources, time)?, inlet: inlet(sources, port, model)?, value: number(sources, value)? })
}

fn time(sources: &Sources, span: &Span) -> Built<Time> {
    let text = text_of(sources, span);
    Time::read(text).map_err(|error| match error {
        NoTime::Form => Problem::new(span.clone(), format!("`{text}` is no time"), "expected `HH:MM:SS:mmm`"),
        NoTime::Fraction => {
            Problem::new(span.clone(), format!("`{text}` is no time of a run"), "ends with a fraction of a millisecond")
        }
        NoTime::Late => Problem::new(span.clone(), format!("`{text}` is too late"), "never reached")
            .note(format!("the last time of a file is {}", Time::LAST)),
    })
}

fn inlet<'a>(sources: &Sources, span: &Span, model: &'a Model) -> Built<&'a Inlet> {
    let text = text_of(sources, span);
    let found = model.inlets().iter().find(|inlet| inlet.name.eq_ignore_ascii_case(text));
    found.ok_or_else(|| {
        let problem = Problem::new(span.clone(), format!("no input `{text}` leads to a cell"), "no input of the model");
        let known: Vec<&str> = model.inputs().collect();
        if known.is_empty() {
            problem.note(format!("add `in : {text}` and `link : {text} port@{}(row,column)` to `[top]`", model.name()))
        } else {
            problem.note(format!("inputs that do: {}", known.join(", ")))
        }
    })
}

fn number(sources: &Sources, span: &Span) -> Built<f64> {
    let text = text_of(sources, span);
    if text == "?" {
        return Ok(f64::NAN);
    }
    let number = text.parse().ok().map(single).filter(|number| number.is_finite());
    number.ok_or_else(|| {
        Problem::new(span.clone(), format!("`{text}` is no value"), "expected a number, or `?` for an undefined value")
    })
}
