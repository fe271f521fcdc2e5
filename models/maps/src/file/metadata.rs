//! Metadata of GDAL beside the numbers of a raster: scale, offset and a number for no data.

use roxmltree::{Document, Node};

/// Metadata of the first band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Metadata {
    /// Factor of the numbers in the file.
    pub(super) scale: f64,
    /// Summand behind the factor.
    pub(super) offset: f64,
    /// Number that stands for no data, before scale and offset.
    pub(super) no_data: Option<f64>,
}

impl Default for Metadata {
    fn default() -> Self {
        Self { scale: 1.0, offset: 0.0, no_data: None }
    }
}

impl Metadata {
    /// Reads the tag `GDAL_METADATA` of a TIFF: items with a role.
    pub(super) fn of_tag(text: &str) -> Result<Self, String> {
        let role = |node: &Node<'_, '_>, role: &str| {
            node.attribute("role") == Some(role) && node.attribute("sample").is_none_or(|sample| sample == "0")
        };
        Self::read(text, |node, name| role(node, name))
    }

    /// Reads a file `.aux.xml`: elements of the first band.
    pub(super) fn of_file(text: &str) -> Result<Self, String> {
        Self::read(text, |node, name| {
            let is_first = |band: Node<'_, '_>| {
                band.has_tag_name("PAMRasterBand") && band.attribute("band").is_none_or(|band| band == "1")
            };
            node.tag_name().name().eq_ignore_ascii_case(name) && node.parent().is_some_and(is_first)
        })
    }

    fn read(text: &str, is: impl Fn(&Node<'_, '_>, &str) -> bool) -> Result<Self, String> {
        let document =
            Document::parse(text.trim_matches(['\0', '\u{feff}', ' ', '\n'])).map_err(|error| error.to_string())?;
        let number = |name: &str| {
            let Some(node) = document.descendants().find(|node| is(node, name)) else { return Ok(None) };
            let word = node.text().unwrap_or_default().trim();
            let number = word.parse().ok().filter(|number: &f64| !number.is_infinite());
            number.map(Some).ok_or_else(|| format!("its {name} `{word}` is no number"))
        };
        let finite = |name: &str, default: f64| {
            let number = number(name)?.unwrap_or(default);
            if number.is_finite() { Ok(number) } else { Err(format!("its {name} is no number")) }
        };
        Ok(Self { scale: finite("scale", 1.0)?, offset: finite("offset", 0.0)?, no_data: number("NoDataValue")? })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn items_and_elements_of_the_first_band_are_read() {
        let tag = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-5</Item>\n  <Item name=\"SCALE\" sample=\"1\" role=\"scale\">7</Item>\n  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.1</Item>\n</GDALMetadata>\n\0";
        assert_eq!(Metadata::of_tag(tag), Ok(Metadata { scale: 0.1, offset: -5.0, no_data: None }));
        let file = "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>0</NoDataValue><Scale>2</Scale></PAMRasterBand></PAMDataset>";
        assert_eq!(Metadata::of_file(file), Ok(Metadata { scale: 2.0, offset: 0.0, no_data: Some(0.0) }));
        assert_eq!(Metadata::of_tag("<GDALMetadata/>"), Ok(Metadata::default()));
        let fault = Metadata::of_tag(&tag.replace("0.1", "a tenth")).unwrap_err();
        assert_eq!(fault, "its scale `a tenth` is no number");
        assert!(Metadata::of_tag("<GDALMetadata>").is_err());
    }
}
