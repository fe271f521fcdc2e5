//! Metadata of GDAL beside the numbers of a band: scale, offset, a number for no data, name and unit.

use roxmltree::{Document, Node};

/// Metadata of a band, as far as it is there.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Metadata {
    /// Factor of the numbers in the file.
    pub(super) scale: Option<f64>,
    /// Summand behind the factor.
    pub(super) offset: Option<f64>,
    /// Number that stands for no data, before scale and offset.
    pub(super) no_data: Option<f64>,
    /// Name of the band.
    pub(super) name: Option<String>,
    /// Name of the unit of the values.
    pub(super) unit: Option<String>,
}

/// Ending of the keys under which GDAL's driver of landscape files tells units.
const UNIT_NAME: &str = "_UNIT_NAME";

impl Metadata {
    /// Reads the tag `GDAL_METADATA` of a TIFF: items of a band, which counts from 0.
    pub(super) fn of_tag(text: &str, band: usize) -> Result<Self, String> {
        let document = parse(text)?;
        let number = band.to_string();
        let is_of_band = |node: &Node<'_, '_>| {
            node.has_tag_name("Item") && node.attribute("sample").map_or(band == 0, |sample| sample == number)
        };
        let items = || document.descendants().filter(is_of_band);
        let role = |role: &str| items().find(|node| node.attribute("role") == Some(role));
        let unit = items().find(|node| node.attribute("name").is_some_and(|name| name.ends_with(UNIT_NAME)));
        Self::of(role("scale"), role("offset"), None, role("description"), role("unittype").or(unit))
    }

    /// Reads a file `.aux.xml`: elements of a band, which counts from 0.
    pub(super) fn of_file(text: &str, band: usize) -> Result<Self, String> {
        let document = parse(text)?;
        let number = (band + 1).to_string();
        let is_of_band = |node: &Node<'_, '_>| {
            node.has_tag_name("PAMRasterBand") && node.attribute("band").map_or(band == 0, |band| band == number)
        };
        let bands = || document.descendants().filter(is_of_band);
        let child = |name: &str| {
            bands().flat_map(|band| band.children()).find(|node| node.tag_name().name().eq_ignore_ascii_case(name))
        };
        let entries = || bands().flat_map(|band| band.descendants()).filter(|node| node.has_tag_name("MDI"));
        let unit = entries().find(|node| node.attribute("key").is_some_and(|key| key.ends_with(UNIT_NAME)));
        let (description, unit) = (child("description"), child("unittype").or(unit));
        Self::of(child("scale"), child("offset"), child("nodatavalue"), description, unit)
    }

    fn of(
        scale: Option<Node<'_, '_>>,
        offset: Option<Node<'_, '_>>,
        no_data: Option<Node<'_, '_>>,
        name: Option<Node<'_, '_>>,
        unit: Option<Node<'_, '_>>,
    ) -> Result<Self, String> {
        let text = |node: Node<'_, '_>| node.text().unwrap_or_default().trim().to_owned();
        let some = |node: Option<Node<'_, '_>>| node.map(text).filter(|text| !text.is_empty());
        let number = |what: &str, node: Option<Node<'_, '_>>| {
            let Some(word) = node.map(text) else { return Ok(None) };
            let number = word.parse().ok().filter(|number: &f64| !number.is_infinite());
            number.map(Some).ok_or_else(|| format!("its {what} `{word}` is no number"))
        };
        let finite = |what: &str, node: Option<Node<'_, '_>>| match number(what, node)? {
            Some(number) if number.is_nan() => Err(format!("its {what} is no number")),
            found => Ok(found),
        };
        Ok(Self {
            scale: finite("scale", scale)?,
            offset: finite("offset", offset)?,
            no_data: number("NoDataValue", no_data)?,
            name: some(name),
            unit: some(unit),
        })
    }

    /// Returns these metadata with those of another place where they lack a part.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            scale: self.scale.or(other.scale),
            offset: self.offset.or(other.offset),
            no_data: self.no_data.or(other.no_data),
            name: self.name.or(other.name),
            unit: self.unit.or(other.unit),
        }
    }

    /// Returns factor and summand of the numbers.
    pub(super) fn scaling(&self) -> (f64, f64) {
        (self.scale.unwrap_or(1.0), self.offset.unwrap_or(0.0))
    }
}

fn parse(text: &str) -> Result<Document<'_>, String> {
    Document::parse(text.trim_matches(['\0', '\u{feff}', ' ', '\n'])).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn items_and_elements_of_a_band_are_read() {
        let tag = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-5</Item>\n  <Item name=\"SCALE\" sample=\"1\" role=\"scale\">7</Item>\n  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.1</Item>\n  <Item name=\"DESCRIPTION\" sample=\"1\" role=\"description\">Slope</Item>\n  <Item name=\"SLOPE_UNIT_NAME\" sample=\"1\">Degrees</Item>\n</GDALMetadata>\n\0";
        let first = Metadata { scale: Some(0.1), offset: Some(-5.0), ..Metadata::default() };
        assert_eq!(Metadata::of_tag(tag, 0), Ok(first));
        let text = |text: &str| Some(text.to_owned());
        let second = Metadata { scale: Some(7.0), name: text("Slope"), unit: text("Degrees"), ..Metadata::default() };
        assert_eq!(Metadata::of_tag(tag, 1), Ok(second.clone()));
        let file = "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>0</NoDataValue><Scale>2</Scale></PAMRasterBand><PAMRasterBand band=\"2\"><Description>Slope</Description><Metadata><MDI key=\"SLOPE_UNIT_NAME\">Degrees</MDI></Metadata></PAMRasterBand></PAMDataset>";
        let first = Metadata { scale: Some(2.0), no_data: Some(0.0), ..Metadata::default() };
        assert_eq!((Metadata::of_file(file, 0), first.scaling()), (Ok(first), (2.0, 0.0)));
        assert_eq!(Metadata::of_file(file, 1).unwrap().or(Metadata::of_tag(tag, 1).unwrap()), second);
        assert_eq!(Metadata::of_tag("<GDALMetadata/>", 0), Ok(Metadata::default()));
        let fault = Metadata::of_tag(&tag.replace("0.1", "a tenth"), 0).unwrap_err();
        assert_eq!(fault, "its scale `a tenth` is no number");
        assert!(Metadata::of_tag("<GDALMetadata>", 0).is_err());
    }
}
