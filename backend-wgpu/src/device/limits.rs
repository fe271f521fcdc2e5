//! Limits of a device, in the terms of this backend.

use crate::options::Options;
use imminent_core::Limits;
use imminent_ir::launch::ROWS_PER_GROUP;

/// Limits against which calls are checked before wgpu sees them.
#[derive(Clone, Debug)]
pub(crate) struct DeviceLimits {
    /// Bytes of the largest segment of a table, which is bound whole as one buffer.
    pub(crate) segment_bytes: u64,
    /// Storage buffers that one shader can use.
    pub(crate) storage_buffers: u32,
    /// `true` if tables share buffers, because a shader can use few.
    pub(crate) shared: bool,
    /// Alignment of launch blocks and of parts of shared buffers, in bytes.
    pub(crate) launch_alignment: u64,
    /// Workgroups in one dimension of a dispatch.
    pub(crate) groups: u32,
    /// Invocations of a workgroup.
    pub(crate) workgroup: u32,
    /// Bytes of memory that a workgroup shares.
    pub(crate) workgroup_bytes: u32,
    /// Bytes of the largest binding, without the limit of the options.
    pub(crate) binding_bytes: u64,
    /// Bytes of the largest buffer.
    pub(crate) buffer_bytes: u64,
}

/// Most storage buffers of a shader. Some drivers allow a million, but a shader with ten thousand would take minutes to
/// compile.
const MAX_STORAGE_BUFFERS: u32 = 128;
/// Storage buffers that any kernel may use besides its tables and tallies: state and launch block, the partial results
/// of a reduction, and the rows of a selection with their number.
const OWN_BUFFERS: u32 = 5;
/// Storage buffers with which every table has buffers of its own. Of Imminent's own kernels the greediest needs 23.
const ENOUGH_BUFFERS: u32 = 24;

impl DeviceLimits {
    pub(crate) fn new(limits: &wgpu::Limits, options: &Options) -> DeviceLimits {
        // The limit is rounded down to whole words, since tables are cut between words.
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !3;
        let storage_buffers = limits
            .max_storage_buffers_per_shader_stage
            .min(limits.max_bindings_per_bind_group)
            .min(options.bindings.unwrap_or(MAX_STORAGE_BUFFERS))
            .min(MAX_STORAGE_BUFFERS);
        DeviceLimits {
            segment_bytes: options.max_binding_bytes.map_or(largest, |bytes| largest.min(bytes & !3)),
            binding_bytes: largest,
            storage_buffers,
            shared: storage_buffers < ENOUGH_BUFFERS,
            launch_alignment: u64::from(limits.min_storage_buffer_offset_alignment.max(16)),
            groups: limits.max_compute_workgroups_per_dimension,
            workgroup: limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x),
            workgroup_bytes: limits.max_compute_workgroup_storage_size,
            buffer_bytes: limits.max_buffer_size & !7,
        }
    }

    /// Returns the most rows of a launch: a row number beyond the last group of the last line of a grid must not wrap
    /// around.
    pub(crate) fn rows(&self) -> u32 {
        let groups = u64::from(self.groups) * u64::from(self.groups);
        let spare = groups.min(u64::from(u32::MAX / ROWS_PER_GROUP)).div_ceil(u64::from(self.groups.max(1))) + 1;
        let most = groups.saturating_mul(u64::from(ROWS_PER_GROUP)).min(u64::from(u32::MAX));
        u32::try_from(most.saturating_sub(spare * u64::from(ROWS_PER_GROUP))).unwrap_or(u32::MAX >> 1)
    }

    /// Converts the limits to those that all backends report.
    pub(crate) fn public(&self) -> Limits {
        let pieces = u64::from(self.storage_buffers.saturating_sub(OWN_BUFFERS).max(1));
        // Any number of tables can share a buffer.
        let buffers = if self.shared { MAX_STORAGE_BUFFERS } else { self.storage_buffers };
        let bindings = buffers.saturating_sub(OWN_BUFFERS);
        let mut limits = Limits::new(self.segment_bytes.saturating_mul(pieces), self.rows(), bindings);
        limits.column_bytes = self.segment_bytes;
        limits
    }
}

/// Returns the number of workgroups to dispatch in each dimension. There are as few lines as the device allows, of
/// nearly equal length, so less than one group in each line is superfluous. The shader skips superfluous groups.
pub(crate) fn grid(groups: u32, widest: u32) -> (u32, u32) {
    let lines = groups.div_ceil(widest.max(1)).max(1);
    (groups.div_ceil(lines), lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_covers_every_group_and_wastes_less_than_one_per_line() {
        for groups in [0, 1, 65_534, 65_535, 65_536, 131_070, 131_071, u32::MAX / 256] {
            let (x, y) = grid(groups, 65_535);
            assert!(x <= 65_535 && y <= 65_535);
            let covered = u64::from(x) * u64::from(y);
            assert!(covered >= u64::from(groups) && covered < u64::from(groups) + u64::from(y), "{groups}");
        }
    }

    #[test]
    fn the_largest_launch_does_not_wrap_around() {
        let limits = DeviceLimits::new(&wgpu::Limits::default(), &Options::default());
        let rows = limits.rows();
        let (x, y) = grid(rows.div_ceil(ROWS_PER_GROUP), limits.groups);
        assert!(x <= limits.groups && y <= limits.groups);
        assert!(u64::from(x) * u64::from(y) * u64::from(ROWS_PER_GROUP) <= 1 << 32);
        assert!(rows > u32::MAX - (1 << 18));
    }

    #[test]
    fn tables_share_buffers_where_a_shader_binds_few() {
        let limits = |device: u32, asked: Option<u32>| {
            let device = wgpu::Limits { max_storage_buffers_per_shader_stage: device, ..wgpu::Limits::default() };
            DeviceLimits::new(&device, &Options { bindings: asked, ..Options::default() })
        };
        for (device, asked, buffers, shared) in [
            (8, None, 8, true),
            (10, Some(20), 10, true),
            (23, None, 23, true),
            (24, None, 24, false),
            (64, Some(8), 8, true),
        ] {
            let limits = limits(device, asked);
            assert_eq!((limits.storage_buffers, limits.shared), (buffers, shared), "{device}, {asked:?}");
        }
        assert!(limits(8, None).public().bindings > 100);
        assert_eq!(limits(24, None).public().bindings, 19);
    }

    #[test]
    fn a_smaller_piece_can_be_asked_for_but_not_a_larger_one() {
        let device = wgpu::Limits::default();
        let small = Options { max_binding_bytes: Some(1026), ..Options::default() };
        assert_eq!(DeviceLimits::new(&device, &small).segment_bytes, 1024);
        let public = DeviceLimits::new(&device, &small).public();
        assert_eq!(public.column_bytes, 1024, "a column lies in one piece");
        assert!(public.table_bytes > 1024, "a table in several: {}", public.table_bytes);
        let large = Options { max_binding_bytes: Some(u64::MAX), ..Options::default() };
        assert_eq!(DeviceLimits::new(&device, &large).segment_bytes, device.max_storage_buffer_binding_size);
    }
}
