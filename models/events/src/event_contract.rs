//! Implementation of the engine interface for event models.

/// Implements [`Events`](crate::Events) for a model that [`event_model!`](crate::event_model) declares. Not for other
/// use.
#[doc(hidden)]
#[macro_export]
macro_rules! event_contract {
    (@share $name:ident) => {
        $crate::kernels::ready::Ready
    };
    (@share $name:ident $prepared:ident) => {
        $name::Share
    };
    ($name:ident { $($kind:ident),+ } { $($prepared:ident)? } { $($speculation:ident)? }) => {
        $(const _: () = {
            let _ = $name::Kind::$prepared;
            assert!($name::GROUPS > 0, "events are prepared by one group of each module at least");
        };)?

        impl $crate::EventTypes for $name::step {
            type Module = $name::Module;
            type Payload = $name::Payload;
            type Point = $name::Point;
            type Kind = $name::Kind;
            type Payloads = $name::Payloads;
            type Post = $name::Post;
            type Request = $name::Request;
            type Response = $name::Response;
            type Share = $crate::event_contract!(@share $name $($prepared)?);
        }

        impl $crate::Events for $name::step {
            $(
                const LANES: usize = {
                    let _ = $name::Kind::$prepared;
                    $name::LANES as usize
                };
                const GROUPS: usize = $name::GROUPS as usize;
            )?
            const NAMES: &'static [&'static str] = &[$(stringify!($kind)),+];

            fn kernels() -> &'static $crate::imminent_core::ModuleSource {
                $name::source()
            }

            fn first(event: &$crate::First<Self>, tie: u64) -> $crate::Scheduled<Self> {
                let $crate::First { time, module, kind, payload } = *event;
                $crate::Scheduled { time, to: module, tie, kind: kind as u32, payload }
            }

            fn expect(
                list: &mut $crate::kernels::list::EventList,
                payloads: &mut Self::Payloads,
                event: &$crate::Scheduled<Self>,
            ) {
                let slot = list.insert(event.time, event.tie, event.kind);
                payloads.slots.set(slot, event.payload);
            }

            fn pending(
                list: &$crate::kernels::list::EventList,
                payloads: &Self::Payloads,
                mut each: impl FnMut($crate::Scheduled<Self>),
            ) {
                for place in 0..list.waiting {
                    let key = list.key(place);
                    let payload = payloads.slots.get(key.slot);
                    each($crate::Scheduled { time: key.time, to: list.module, tie: key.tie, kind: key.kind, payload });
                }
            }

            fn happen(
                event: &$crate::Scheduled<Self>,
                me: &mut Self::Module,
                point: &Self::Point,
                host_rows: &mut $crate::HostRows<Self>,
                links: &$crate::kernels::links::OutLinks,
                terms: &$crate::kernels::list::Terms,
                mut scheduled: impl FnMut($crate::Scheduled<Self>),
            ) {
                let $crate::Scheduled { time, kind, payload, .. } = *event;
                let $crate::HostRows { list, payloads, post } = host_rows;
                list.begin(time, kind, terms.most);
                $name::handle(kind, me, payload, point, &mut $name::Agenda { list, payloads, post, links, terms });
                if list.trouble == 0 {
                    Self::pending(list, payloads, &mut scheduled);
                    for number in 0..list.sent {
                        let $name::Event { time, tie, to, kind, payload } = post.events.get(number);
                        scheduled($crate::Scheduled { time, to, tie, kind, payload });
                    }
                }
                (list.waiting, list.touched, list.sent, list.next) = (0, 0, 0, u64::MAX);
            }

            fn request(event: Option<&$crate::Scheduled<Self>>) -> Self::Request {
                match event {
                    Some(&$crate::Scheduled { time, kind, payload, .. }) => $name::Request { time, kind, payload },
                    None => $name::Request {
                        kind: u32::MAX,
                        ..<$name::Request as $crate::imminent_core::Row>::zeroed(0)
                    },
                }
            }

            fn execute(
                queue: &$crate::imminent_core::Queue,
                tables: &mut $crate::Tables<Self>,
                requests: &$crate::imminent_core::Table<Self::Request>,
                responses: &mut $crate::imminent_core::Table<Self::Response>,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { modules: me, lists: list, payloads, posts: [post, _], earliest: [earliest, _], links, .. } = tables;
                let own = $name::OwnArgs { me, list, payloads, post, earliest, links: &links.out };
                queue.launch::<$name::execute>((own, responses, requests, &tables.terms, &tables.points))?;
                Ok(())
            }

            fn scheduled(response: &Self::Response, mut each: impl FnMut($crate::Scheduled<Self>)) {
                for place in 0..response.count {
                    let $name::Event { time, tie, to, kind, payload } = response.events.get(place);
                    each($crate::Scheduled { time, to, tie, kind, payload });
                }
            }

            fn trouble_of(response: &Self::Response) -> u32 {
                response.trouble
            }

            fn record_step(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
                listed: Option<&$crate::imminent_core::Selection>,
                plan: &$crate::kernels::list::Plan,
            ) -> $crate::imminent_core::Result<$crate::imminent_core::Scalar<u32>> {
                let $crate::Tables { modules: me, lists: list, payloads, owners, terms, points, windows, links, mail, .. } = tables;
                let ([posts, post], [before, earliest]) = (&mut tables.posts, &mut tables.earliest);
                let own = $name::OwnArgs { me, list, payloads, post, earliest, links: &links.out };
                let past = $name::PastArgs { posts, earliest: before };
                let known = $name::KnownArgs { owners, terms, points, windows: windows.earliest(), bounds: links.bounds(), plan };
                $(
                    if let Some($crate::Prepared { ready, shares }) = &tables.prepared {
                        let _ = $name::Kind::$prepared;
                        let args = (own, ready, shares, past, mail.inbox(), mail.outbox(), known);
                        return $crate::launch_listed::<$name::step_prepared>(step, listed, args);
                    }
                )?
                let args = (own, past, mail.inbox(), mail.outbox(), known);
                $crate::launch_listed::<$name::step>(step, listed, args)
            }

            fn record_advance(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
                listed: Option<&$crate::imminent_core::Selection>,
                plan: &$crate::kernels::list::Plan,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { modules: me, lists: list, payloads, owners, terms, points, windows, links, .. } = tables;
                let ([_, post], [earliest, _]) = (&mut tables.posts, &mut tables.earliest);
                let own = $name::OwnArgs { me, list, payloads, post, earliest, links: &links.out };
                let known = $name::KnownArgs { owners, terms, points, windows: windows.earliest(), bounds: links.bounds(), plan };
                let args = (own, tables.mail.outbox(), &tables.halts, known);
                $crate::launch_listed::<$name::advance>(step, listed, args).map(drop)
            }

            fn record_receipt(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
                listed: Option<&$crate::imminent_core::Selection>,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { lists, payloads, posts: [_, posts], earliest: [earliest, _], mail, .. } = tables;
                let args = (lists, payloads, earliest, mail.undelivered(), &*posts, &tables.halts, &tables.terms);
                $crate::launch_listed::<$name::receive>(step, listed, args).map(drop)
            }

            fn record_preparing(
                step: &mut $crate::imminent_core::ProgramBuilder,
                tables: &mut $crate::Tables<Self>,
            ) -> $crate::imminent_core::Result<()> {
                $(
                    if let Some($crate::Prepared { ready, shares }) = &mut tables.prepared {
                        let _ = $name::Kind::$prepared;
                        let $crate::Tables { modules, lists, payloads, posts: [posts, _], points, terms, mail, .. } = tables;
                        let _: &$crate::imminent_core::Table<$name::Share> = shares;
                        step.launch::<$name::choose>((&mut *ready, &*lists, &*posts, mail.inbox(), &*terms))?;
                        let known = (&*modules, &*lists, &*payloads, &*posts, &*terms, &*points);
                        let (modules, lists, payloads, posts, terms, points) = known;
                        step.launch::<$name::prepare>((shares, &*ready, modules, lists, payloads, posts, terms, points))?;
                    }
                )?
                let _ = (step, tables);
                Ok(())
            }

            fn set_plan(
                program: &mut $crate::imminent_core::Program,
                plan: &$crate::kernels::list::Plan,
                tables: &$crate::Tables<Self>,
                in_stages: bool,
            ) -> $crate::imminent_core::Result<()> {
                if in_stages {
                    return program.set_params::<$name::advance, _>(plan);
                }
                $(
                    if tables.prepared.is_some() {
                        let _ = $name::Kind::$prepared;
                        return program.set_params::<$name::step_prepared, _>(plan);
                    }
                )?
                let _ = tables;
                program.set_params::<$name::step, _>(plan)
            }

            fn receive(tables: &mut $crate::Tables<Self>) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { lists, payloads, posts: [posts, _], earliest: [earliest, _], mail, .. } = tables;
                let queue = lists.device().queue().clone();
                let args = (lists, payloads, earliest, mail.inbox(), &*posts, &tables.halts, &tables.terms);
                queue.launch::<$name::receive>(args)?;
                Ok(())
            }

            $(
                const IS_OPTIMISTIC: bool = true;

                fn record_window(
                    step: &mut $crate::imminent_core::ProgramBuilder,
                    tables: &mut $crate::Tables<Self>,
                    plan: &$crate::kernels::list::Plan,
                    reach: &$crate::kernels::speculation::Reach,
                ) -> $crate::imminent_core::Result<Option<$crate::imminent_core::Scalar<u32>>> {
                    use $crate::kernels::$speculation::{CUT, MarksArgs, STEADY};

                    let $crate::Tables { modules, lists, payloads, owners, terms, points, windows, links, mail, halts, .. } = tables;
                    let ([draft, post], [earliest, _]) = (&mut tables.posts, &mut tables.earliest);
                    let Some($crate::Guesses { saved, guesses, marks, near, verdict }) = &mut tables.guesses else {
                        return Ok(None);
                    };
                    let mut worst = None;
                    step.loop_until(u64::MAX, |round| {
                        let known = || $name::KnownArgs { owners, terms, points, windows: windows.earliest(), bounds: links.bounds(), plan };
                        let own = $name::OwnArgs { me: &mut *modules, list: &mut *lists, payloads: &mut *payloads, post: &mut *draft, earliest: &mut *earliest, links: &links.out };
                        let rows = $name::SavedArgs { me: &mut saved.modules, list: &mut saved.lists, payloads: &mut saved.payloads };
                        let words = || MarksArgs { words: &*marks };
                        round.launch::<$name::speculate>((own, rows, &mut *guesses, words(), near.undelivered(), mail.undelivered(), &*post, known(), reach))?;
                        let rows = (&*lists, &*draft, &mut *post, &mut *guesses, words(), near.outbox(), mail.outbox(), known(), reach);
                        let found = round.launch_into::<$name::publish, _>(rows, verdict)?;
                        let conditions = vec![found.equals(STEADY), found.equals(CUT)];
                        worst = Some(found);
                        Ok(conditions)
                    })?;
                    let own = $name::OwnArgs { me: modules, list: lists, payloads, post: draft, earliest, links: &links.out };
                    let rows = $name::SavedArgs { me: &mut saved.modules, list: &mut saved.lists, payloads: &mut saved.payloads };
                    let args = (own, rows, guesses, MarksArgs { words: &*marks }, near.undelivered(), mail.undelivered(), &*post, &*verdict, &*halts, &*terms);
                    step.launch::<$name::commit>(args)?;
                    Ok(worst)
                }
            )?

            fn catch_up(
                tables: &mut $crate::Tables<Self>,
                side: $crate::Side,
            ) -> $crate::imminent_core::Result<()> {
                let $crate::Tables { lists, payloads, posts, earliest: [earliest, _], mail, .. } = tables;
                let queue = lists.device().queue().clone();
                let (posts, inbox) = match side {
                    $crate::Side::Delivered => (&posts[0], mail.inbox()),
                    $crate::Side::Before => (&posts[1], mail.before()),
                };
                queue.launch::<$name::catch_up>((lists, payloads, earliest, inbox, posts))?;
                Ok(())
            }
        }
    };
}
