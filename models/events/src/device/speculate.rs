//! Choice of speculative time windows, and their room.

use super::guesses::Guesses;
use super::run::{OnDevice, has_grown};
use crate::contract::Events;
use crate::error::EngineError;
use crate::kernels::list::NEAR;
use crate::speculation::Speculation;
use imminent_core::{MailTable, Table};

impl<E: Events> OnDevice<E> {
    /// Sets the length of speculative time windows, in ticks; `None` for none.
    pub(crate) fn set_window(&mut self, window: Option<u64>) -> Result<(), EngineError> {
        self.stop_speculating()?;
        (self.chooser, self.speculation) = (None, None);
        let Some(window) = window else { return Ok(()) };
        if !E::IS_OPTIMISTIC {
            return Err(EngineError::NotOptimistic);
        }
        if self.tables.links.exist() {
            return Err(EngineError::WindowWithLinks);
        }
        // Without messages nothing is speculative.
        if self.sends && !self.tables.lists.is_empty() {
            self.window = window;
            self.tables.guesses = Some(Guesses::new(&self.tables.lists, &self.tables.mail)?);
        }
        Ok(())
    }

    /// Returns the work of speculation; `None` without windows.
    pub(crate) fn speculation(&self) -> Result<Option<Speculation>, EngineError> {
        let Some(guesses) = &self.tables.guesses else { return Ok(self.speculation) };
        let work = guesses.work()?;
        Ok(Some(Speculation { rounds: work.rounds, executed: work.executed }))
    }

    /// Continues in conservative steps.
    pub(super) fn stop_speculating(&mut self) -> Result<(), EngineError> {
        self.speculation = self.speculation()?;
        self.tables.guesses = None;
        self.programs.clear();
        Ok(())
    }

    /// Enlarges lists or posts that had no room for all events of a window. If there is no memory, windows become half
    /// as long, and finally steps are conservative.
    pub(super) fn widen(&mut self) -> Result<(), EngineError> {
        let Some(guesses) = &self.tables.guesses else { return Ok(()) };
        let lack = guesses.lack()?;
        let mut has_room = true;
        if lack.list > NEAR + self.tables.lists.capacity() {
            has_room = self.grow_for(lack.list)?;
        }
        if lack.post > self.tables.mail.room() {
            // Every cut costs a window, so posts grow to more than twice their size.
            let ample = lack.post.saturating_mul(2).checked_next_power_of_two().unwrap_or(lack.post);
            has_room &= has_grown(self.grow_posts(ample).or_else(|_| self.grow_posts(lack.post)))?;
        }
        self.programs.clear();
        if !has_room {
            self.window /= 2;
            if self.window == 0 {
                self.stop_speculating()?;
            }
        }
        Ok(())
    }

    /// Replaces posts and lists of messages, all of which are empty between windows, by larger ones.
    fn grow_posts(&mut self, room: u32) -> imminent_core::Result<()> {
        let (device, rows) = (self.tables.lists.device().clone(), self.tables.lists.len());
        let posts = || Table::with_capacity(&device, rows, room);
        let mail = || MailTable::new(&device, rows, room);
        let (posts, mail, near) = ([posts()?, posts()?], mail()?, mail()?);
        (self.tables.posts, self.tables.mail) = (posts, mail);
        if let Some(guesses) = &mut self.tables.guesses {
            guesses.near = near;
        }
        Ok(())
    }
}
