//! Implementation of the engine interface for event models.

/// Implements [`Events`](crate::Events) for a model that [`event_model!`](crate::event_model) declares. Not for other
/// use.
#[doc(hidden)]
#[macro_export]
macro_rules! event_contract {
    (@share $name:ident) => {
        $name::Ready
    };
    (@share $name:ident $share:ident) => {
        $name::$share
    };
    ($name:ident { $($kind:ident),+ } { $($prepared:ident $share:ident $lanes:tt $groups:tt)? }) => {
        $(const _: () = assert!($groups > 0, "events are prepared by one group of each module at least");)?

        impl $crate::Events for $name::step {
            type Module = $name::Module;
            type Payload = $name::Payload;
            type Point = $name::Point;
            type Kind = $name::Kind;
            type Agenda = $name::Agenda;
            type Post = $name::Post;
            type Errand = $name::Errand;
            type Answer = $name::Answer;
            type Ready = $name::Ready;
            type Share = $crate::event_contract!(@share $name $($share)?);

            const LANES: usize = 0 $(+ $lanes)?;
            const GROUPS: usize = 0 $(+ $groups)?;
            const NAMES: &'static [&'static str] = &[$(stringify!($kind)),+];

            fn seat(agenda: &mut Self::Agenda, place: &$crate::Place) {
                let $crate::Place { simulation, module, modules, window, first, stride, lookahead, most, end } = *place;
                (agenda.simulation, agenda.module, agenda.modules) = (simulation, module, modules);
                (agenda.window, agenda.first, agenda.stride) = (window, first, stride);
                (agenda.lookahead, agenda.most, agenda.end) = (lookahead, most, end);
                (agenda.next, agenda.happening, agenda.coming) = (u64::MAX, u32::MAX, u32::MAX);
            }

            fn settle(agenda: &mut Self::Agenda, place: &$crate::Place) -> bool {
                let $crate::Place { simulation, module, modules, window, first, stride, lookahead, most, end } = *place;
                let terms = (agenda.module, agenda.modules, agenda.lookahead, agenda.most, agenda.end);
                if terms != (module, modules, lookahead, most, end) {
                    return false;
                }
                (agenda.simulation, agenda.window) = (simulation, window);
                (agenda.first, agenda.stride) = (first, stride);
                true
            }

            fn post(agenda: &Self::Agenda, room: u32) -> Self::Post {
                let empty = <$name::Post as $crate::imminent_core::Row>::zeroed(room);
                $name::Post { earliest: agenda.next, ..empty }
            }

            fn posts(
                device: &$crate::imminent_core::Device,
                earliest: &[u64],
                room: u32,
            ) -> $crate::imminent_core::Result<$crate::imminent_core::Table<Self::Post>> {
                let posts = $crate::imminent_core::Table::with_capacity(device, earliest.len(), room)?;
                $name::PostColumns::earliest(&posts).write_rows(0, earliest)?;
                Ok(posts)
            }

            fn next(agenda: &Self::Agenda) -> u64 {
                agenda.next
            }

            fn first(event: &$crate::First<Self>, tie: u64) -> $crate::Scheduled<Self> {
                let $crate::First { time, module, kind, payload } = *event;
                $crate::Scheduled { time, to: module, tie, kind: kind as u32, payload }
            }

            fn expect(agenda: &mut Self::Agenda, event: &$crate::Scheduled<Self>) {
                agenda.expect(event.time, event.tie, event.kind, event.payload);
                agenda.foresee();
            }

            fn number_from(agenda: &mut Self::Agenda, number: u64) {
                agenda.scheduled = number;
            }

            fn happen(
                event: &$crate::Scheduled<Self>,
                me: &mut Self::Module,
                point: &Self::Point,
                agenda: &mut Self::Agenda,
                post: &mut Self::Post,
                mut scheduled: impl FnMut($crate::Scheduled<Self>),
            ) {
                let $crate::Scheduled { time, kind, payload, .. } = *event;
                agenda.now = time;
                agenda.happening = kind;
                agenda.handled += 1;
                agenda.left = agenda.most;
                $name::handle(kind, me, payload, point, agenda, post);
                let to = agenda.module;
                for place in 0..agenda.waiting {
                    let key = agenda.keys.get(place);
                    let payload = agenda.payloads.get(key.slot);
                    scheduled($crate::Scheduled { time: key.time, to, tie: key.tie, kind: key.kind, payload });
                }
                for place in 0..post.count {
                    let $name::Sent { time, tie, to, kind, payload } = post.sent.get(place);
                    scheduled($crate::Scheduled { time, to, tie, kind, payload });
                }
                (agenda.waiting, agenda.touched, post.count) = (0, 0, 0);
            }

            fn errand(event: Option<&$crate::Scheduled<Self>>) -> Self::Errand {
                match event {
                    Some(&$crate::Scheduled { time, kind, payload, .. }) => $name::Errand { time, kind, payload },
                    None => $name::Errand {
                        kind: u32::MAX,
                        ..<$name::Errand as $crate::imminent_core::Row>::zeroed(0)
                    },
                }
            }

            fn attend(
                queue: &$crate::imminent_core::Queue,
                tables: &mut $crate::Tables<Self>,
                errands: &$crate::imminent_core::Table<Self::Errand>,
                answers: &mut $crate::imminent_core::Table<Self::Answer>,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { modules, agendas, posts: [post, _], points, .. } = tables;
                queue.launch::<$name::attend>((modules, agendas, post, answers, errands, &*points))?;
                Ok(())
            }

            fn scheduled(answer: &Self::Answer, mut each: impl FnMut($crate::Scheduled<Self>)) {
                for place in 0..answer.count {
                    let $name::Sent { time, tie, to, kind, payload } = answer.sent.get(place);
                    each($crate::Scheduled { time, to, tie, kind, payload });
                }
            }

            fn trouble_of(answer: &Self::Answer) -> u32 {
                answer.trouble
            }

            fn trouble(agenda: &Self::Agenda) -> u32 {
                agenda.trouble
            }

            fn standings(
                agendas: &$crate::imminent_core::Table<Self::Agenda>,
            ) -> $crate::imminent_core::Result<Vec<$crate::Standing>> {
                use $name::AgendaColumns as _;
                let (now, happening) = (agendas.now().read()?, agendas.happening().read()?);
                let (handled, waiting) = (agendas.handled().read()?, agendas.waiting().read()?);
                let trouble = agendas.trouble().read()?;
                let standing = |row: usize| $crate::Standing {
                    now: now[row],
                    happening: happening[row],
                    handled: handled[row],
                    waiting: waiting[row],
                    trouble: trouble[row],
                };
                Ok((0..agendas.len()).map(standing).collect())
            }

            fn earliest(tables: &$crate::Tables<Self>) -> $crate::imminent_core::Result<Vec<u64>> {
                $name::PostColumns::earliest(&tables.posts[1]).read()
            }

            fn earliest_of(
                posts: &$crate::imminent_core::Table<Self::Post>,
            ) -> $crate::imminent_core::Column<'_, u64> {
                $name::PostColumns::earliest(posts)
            }

            fn sent(posts: &$crate::imminent_core::Table<Self::Post>) -> $crate::imminent_core::Column<'_, u32> {
                $name::PostColumns::count(posts)
            }

            fn record_addresses(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { agendas, posts: [before, _], exchange, .. } = tables;
                if let Some($crate::Exchange { running, envelopes, .. }) = exchange {
                    step.launch::<$name::address>((envelopes, &*running, &*agendas, &*before))?;
                }
                Ok(())
            }

            fn give_up(agendas: &mut $crate::imminent_core::Table<Self::Agenda>) -> $crate::imminent_core::Result<()> {
                let mut rows = agendas.read()?;
                for agenda in rows.iter_mut().filter(|agenda| agenda.wanted > 0) {
                    agenda.trouble = $crate::kernels::order::NO_ROOM;
                }
                agendas.write(&rows)
            }

            fn wanted(agendas: &$crate::imminent_core::Table<Self::Agenda>) -> $crate::imminent_core::Result<Vec<u32>> {
                $name::AgendaColumns::wanted(agendas).read()
            }

            fn coming(
                agendas: &$crate::imminent_core::Table<Self::Agenda>,
            ) -> $crate::imminent_core::Column<'_, u32> {
                $name::AgendaColumns::coming(agendas)
            }

            fn outcome(
                agendas: &$crate::imminent_core::Table<Self::Agenda>,
            ) -> $crate::imminent_core::Column<'_, u32> {
                $name::AgendaColumns::outcome(agendas)
            }

            fn handled(
                agendas: &$crate::imminent_core::Table<Self::Agenda>,
            ) -> $crate::imminent_core::Column<'_, u64> {
                $name::AgendaColumns::handled(agendas)
            }

            fn record_step(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
                listed: Option<&$crate::imminent_core::Selection>,
                pace: $crate::Pace,
            ) -> $crate::imminent_core::Result<$crate::imminent_core::Scalar<u32>> {
                let $crate::Tables { modules, agendas, posts: [before, now], points, .. } = tables;
                let $crate::Pace { events, alike } = pace;
                let plan = $name::Plan { events, alike };
                if let Some($crate::Exchange { sorted, windows, .. }) = &tables.exchange {
                    let args = (modules, agendas, now, &*before, sorted, windows, &*points, &plan);
                    return match listed {
                        Some(listed) => step.launch_over::<$name::step_delivered>(listed, args),
                        None => step.launch::<$name::step_delivered>(args),
                    };
                }
                $(
                    if let Some($crate::Prepared { ready, shares }) = &mut tables.prepared {
                        let args = (&mut *modules, &mut *agendas, now, &*ready, &*shares, &*before, &*points, &plan);
                        let _ = $name::Kind::$prepared;
                        return match listed {
                            Some(listed) => step.launch_over::<$name::step_prepared>(listed, args),
                            None => step.launch::<$name::step_prepared>(args),
                        };
                    }
                )?
                let args = (modules, agendas, now, &*before, &*points, &plan);
                match listed {
                    Some(listed) => step.launch_over::<$name::step>(listed, args),
                    None => step.launch::<$name::step>(args),
                }
            }

            fn record_preparing(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
            ) -> $crate::imminent_core::Result<()> {
                $(
                    if let Some($crate::Prepared { ready, shares }) = &mut tables.prepared {
                        let $crate::Tables { modules, agendas, posts: [_, now], points, .. } = tables;
                        let _: &$crate::imminent_core::Table<$name::$share> = shares;
                        step.launch::<$name::prepare>((shares, ready, &*modules, &*agendas, &*now, &*points))?;
                    }
                )?
                let _ = (step, tables);
                Ok(())
            }

            fn set_pace(
                program: &mut $crate::imminent_core::Program,
                pace: $crate::Pace,
                tables: &$crate::Tables<Self>,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Pace { events, alike } = pace;
                $(
                    if tables.prepared.is_some() {
                        let _ = $name::Kind::$prepared;
                        return program.set_params::<$name::step_prepared, $name::Plan>(&$name::Plan { events, alike });
                    }
                )?
                if tables.exchange.is_some() {
                    return program.set_params::<$name::step_delivered, $name::Plan>(&$name::Plan { events, alike });
                }
                program.set_params::<$name::step, $name::Plan>(&$name::Plan { events, alike })
            }

            fn catch_up(tables: &mut $crate::Tables<Self>) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { agendas, posts: [before, now], .. } = tables;
                let queue = agendas.device().queue();
                if let Some($crate::Exchange { sorted, .. }) = &tables.exchange {
                    queue.launch::<$name::catch_up_delivered>((agendas, now, &*before, sorted))?;
                    return Ok(());
                }
                queue.launch::<$name::catch_up>((agendas, now, &*before))?;
                Ok(())
            }
        }
    };
}
