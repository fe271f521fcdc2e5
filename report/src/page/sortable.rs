//! Tables that a click on a column's head sorts.

use super::escape;
use crate::digits::three;
use imminent_common::sheet::{Kind, Sheet, Value, heading};
use std::fmt::Write;

/// Largest number of rows that a page lists.
pub const MAX_ROWS: usize = 2_000;

/// Writes a table that lists some of `all` rows; [`end`] makes it sortable.
pub fn table(sheet: &dyn Sheet, all: usize) -> String {
    let mut table = String::new();
    if all > sheet.rows() {
        let _ = writeln!(
            table,
            "<p>The busiest {} of {all} rows; all are in the files beside this page.</p>",
            sheet.rows()
        );
    }
    table.push_str("<div class=\"scroll\"><table class=\"sortable\"><thead><tr>");
    let columns = sheet.columns();
    for (name, kind) in &columns {
        let class = if *kind == Kind::Text { " class=\"text\"" } else { "" };
        let _ = write!(table, "<th{class}>{}</th>", heading(name));
    }
    table.push_str("</tr></thead><tbody>\n");
    for row in 0..sheet.rows() {
        table.push_str("<tr>");
        for column in 0..columns.len() {
            let _ = match sheet.value(row, column) {
                Value::Count(count) => write!(table, "<td>{count}</td>"),
                Value::Number(Some(number)) => write!(table, "<td>{}</td>", three(number)),
                Value::Number(None) => write!(table, "<td>–</td>"),
                Value::Text(text) => write!(table, "<td class=\"text\">{}</td>", escape(&text)),
            };
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}

/// Ends a page, with the script that sorts its tables.
pub fn end() -> String {
    format!("<script>{}</script>\n</body></html>\n", include_str!("sort.js"))
}
