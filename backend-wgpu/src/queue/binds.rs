//! Bind groups, cached for each pipeline and set of buffers.

use crate::device::Context;
use crate::launch::Work;
use crate::memory::Segment;
use crate::module::Pipeline;
use imminent_core::Result;
use imminent_lowering::wgsl::BufferRole;
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::{Arc, Weak};

/// A cache of bind groups.
#[derive(Debug, Default)]
pub(super) struct BindGroups {
    groups: HashMap<Box<[u64]>, Entry>,
    key: Vec<u64>,
}

#[derive(Debug)]
struct Entry {
    group: wgpu::BindGroup,
    /// The buffers' owners. A bind group keeps its buffers alive, so it is dropped once their owners are gone.
    lives: Vec<Weak<()>>,
}

/// Most bind groups in the cache.
const MAX_GROUPS: usize = 1024;

impl BindGroups {
    /// Returns the bind group of a dispatch.
    pub(super) fn get(
        &mut self,
        context: &Context,
        work: &Work,
        state: &wgpu::Buffer,
        blocks: &Segment,
    ) -> Result<wgpu::BindGroup> {
        self.key.clear();
        self.key.extend([work.code.id, blocks.id]);
        self.key.extend(work.places.iter().map(|segment| segment.id));
        if let Some(entry) = self.groups.get(self.key.as_slice()) {
            return Ok(entry.group.clone());
        }
        self.forget_the_dead();
        if self.groups.len() >= MAX_GROUPS {
            self.groups.clear();
        }
        let group = bind_group(context, &work.code, state, &blocks.buffer, &work.places)?;
        let lives = work.places.iter().chain([blocks]).map(|segment| Arc::downgrade(&segment.life)).collect();
        self.groups.insert(self.key.as_slice().into(), Entry { group: group.clone(), lives });
        Ok(group)
    }

    /// Drops the bind groups of released buffers.
    pub(super) fn forget_the_dead(&mut self) {
        self.groups.retain(|_, entry| entry.lives.iter().all(|life| life.strong_count() > 0));
    }
}

/// Binds a dispatch's buffers: `buffers` are those of all bindings except the state and the launch block, in order.
pub(crate) fn bind_group(
    context: &Context,
    pipeline: &Pipeline,
    state: &wgpu::Buffer,
    blocks: &wgpu::Buffer,
    buffers: &[Segment],
) -> Result<wgpu::BindGroup> {
    let mut rest = buffers.iter();
    let entries: Vec<wgpu::BindGroupEntry<'_>> = pipeline
        .bindings
        .iter()
        .filter_map(|binding| {
            let resource = match binding.role {
                BufferRole::State => state.as_entire_binding(),
                BufferRole::Launch => wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: blocks,
                    offset: 0,
                    size: NonZeroU64::new(pipeline.launch_bytes),
                }),
                _ => rest.next()?.binding(),
            };
            Some(wgpu::BindGroupEntry { binding: binding.binding, resource })
        })
        .collect();
    context.noted("binding the arguments of a kernel", || {
        context.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.layout,
            entries: &entries,
        })
    })
}
