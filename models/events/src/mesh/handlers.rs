//! What nodes of the mesh do.

crate::event_model! {
    /// Nodes with an application, a medium access control and a radio, all in reach of each other (Kunz et al. 2012, section V-C). Times are nanoseconds.
    pub mod mesh {
        events {
            /// The application makes a packet.
            AppGenerate => app_generate,
            /// Medium access control takes a packet from the application.
            MacFromApp => mac_from_app,
            /// The radio sends a frame.
            PhyFromMac => phy_from_mac,
            /// A frame has come over the channel.
            PhyFromChannel => phy_from_channel,
            /// Medium access control judges a data frame, and answers.
            MacDataFromPhy => mac_data_from_phy,
            /// Medium access control judges an answer.
            MacControlFromPhy => mac_control_from_phy,
            /// The application takes a packet.
            AppDeliver => app_deliver,
        }
        prepared {
            PhyFromChannel { lanes: 80, groups: 5, of: Share, scratch: Wave, rounds: 4, by: tune, united: tuned, alone: tuned_alone }
        }

        use imminent_core::random::Pcg32;
        use crate::mesh::curve::knots::{KNOTS, look_up};
        use crate::mesh::fading::waves::{FIRST_OTHER, PHASES, RAYS, Wave, echo, gain_over, gains, ray};

        /// Where a point's table of errors by gain begins.
        pub const FIRST_ERROR: u32 = FIRST_OTHER;
        /// Where that of lost data frames by mean error begins.
        pub const FIRST_DATA: u32 = FIRST_OTHER + KNOTS as u32;
        /// Where that of lost answers begins.
        pub const FIRST_CONTROL: u32 = FIRST_OTHER + 2 * (KNOTS as u32);

        /// A frame with data, for all.
        pub const DATA: u32 = 0;
        /// The answer to one that came well.
        pub const ACK: u32 = 1;
        /// The answer to one that did not.
        pub const NACK: u32 = 2;

        /// A node.
        #[derive(Row)]
        pub struct Module {
            /// Which frames are lost.
            pub rng: Pcg32,
            /// From when on the radio has nothing more to send.
            pub free_at: u64,
            /// Packets that the application made.
            pub sent: u32,
            /// Data frames that came well: as many answers say so.
            pub received: u32,
            /// Data frames that came with errors: as many answers say so.
            pub refused: u32,
            /// Answers that came and said that a packet was received.
            pub acks: u32,
            /// Answers that came and said that one was not.
            pub nacks: u32,
            /// Answers that came with errors.
            pub spoilt: u32,
            /// Packets that the application got.
            pub delivered: u32,
            /// From a packet's making to its delivery, summed up, in nanoseconds.
            pub delay: u64,
            /// Frames that came over the channel.
            pub heard: u32,
            /// Their mean gains over subcarriers, summed up, in units of 2^-20.
            pub gain: u64,
            /// The phases of waves from each other node: see [`PHASES`].
            pub phases: Lanes<u32>,
        }

        /// What events carry: 67 words, the paper's 268 bytes.
        pub struct Payload {
            /// Which node sent the frame.
            pub from: u32,
            /// Whom an answer is for.
            pub to: u32,
            /// The packet's number among those of its node.
            pub packet: u32,
            /// What the frame is: [`DATA`], [`ACK`] or [`NACK`].
            pub frame: u32,
            /// When the packet was made.
            pub made: u64,
            /// The mean gain over subcarriers with which the frame came, in units of 2^-20.
            pub gain: u32,
            /// The mean error of a symbol over subcarriers with which it came, in units of 2^-32.
            pub error: u32,
            /// What else a frame has room for.
            pub rest: [u32; 59],
        }

        /// The parameters of a mesh.
        #[derive(Row)]
        pub struct Point {
            /// From a packet of an application to its next.
            pub period: u64,
            /// How long a data frame is in the air.
            pub data_air: u64,
            /// How long an answer is.
            pub control_air: u64,
            /// From one node to another.
            pub propagation: u64,
            /// From a frame's end to the begin of its answer, at least.
            pub turnaround: u64,
            /// Subcarriers.
            pub carriers: u32,
            /// Doppler frequencies, in units of 2^-64 turns per nanosecond.
            pub frequencies: [u64; RAYS],
            /// Tables of the channel and of errors.
            pub tables: Lanes<u32>,
        }

        fn app_generate(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, _post: &mut Post) {
            me.sent += 1;
            agenda.schedule(0, Kind::MacFromApp, Payload { made: agenda.now(), ..payload });
            agenda.schedule(point.period, Kind::AppGenerate, Payload { packet: payload.packet + 1, ..payload });
        }

        fn mac_from_app(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, _post: &mut Post) {
            let delay = me.turn(agenda.now(), 0, point.data_air);
            agenda.schedule(delay, Kind::PhyFromMac, Payload { from: agenda.module(), frame: DATA, ..payload });
        }

        fn phy_from_mac(_me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, post: &mut Post) {
            if payload.frame != DATA {
                agenda.send(post, payload.to, point.control_air + point.propagation, Kind::PhyFromChannel, payload);
                return;
            }
            for to in 0..agenda.modules() {
                if to != agenda.module() {
                    agenda.send(post, to, point.data_air + point.propagation, Kind::PhyFromChannel, payload);
                }
            }
        }

        /// What the first lane finds out of a frame that comes.
        #[derive(Row)]
        pub struct Share {
            /// The mean gain over subcarriers.
            pub gain: u32,
            /// The mean error of a symbol.
            pub error: u32,
        }

        /// Where the phases of a link begin at a node.
        fn first_phase(module: u32, from: u32) -> u32 {
            let mut link = from;
            if link > module {
                link -= 1;
            }
            link * (PHASES as u32)
        }

        /// The gains and errors of a frame that comes, by a group: first a lane for each ray, then one for each echo, one for each subcarrier, and one for their means.
        fn tune(
            round: u32,
            lane: &mut Lane<Wave>,
            share: &mut Share,
            me: &Module,
            module: u32,
            payload: Payload,
            point: &Point,
            time: u64,
        ) {
            let number = lane.index();
            if round == 0 {
                if number < RAYS as u32 {
                    lane.set(ray(&point.tables, point.frequencies[number as usize], time));
                }
            } else if round == 1 {
                let first = first_phase(module, payload.from);
                lane.set(echo(&point.tables, lane, &me.phases, first, number));
            } else if round == 2 {
                if number < point.carriers {
                    let gain = gain_over(&point.tables, lane, number);
                    let error = look_up(&point.tables, FIRST_ERROR, gain);
                    lane.set(Wave { re: gain as i32, im: error as i32 });
                }
            } else if number == 0 {
                let mut gain: u64 = 0;
                let mut error: u64 = 0;
                for carrier in 0..point.carriers {
                    let found = lane.get(carrier);
                    gain += u64::from(found.re as u32);
                    error += u64::from(found.im as u32);
                }
                share.gain = (gain / u64::from(point.carriers)) as u32;
                share.error = (error / u64::from(point.carriers)) as u32;
            }
        }

        /// A frame with what its group has found.
        fn tuned(payload: Payload, shares: &Rows<Share>, first: u32, _point: &Point) -> Payload {
            let found = shares.get(first);
            Payload { gain: found.gain, error: found.error, ..payload }
        }

        /// A frame with the means of its gains and errors.
        fn tuned_alone(me: &Module, module: u32, payload: Payload, point: &Point, time: u64) -> Payload {
            let first = first_phase(module, payload.from);
            let gains = gains(&point.tables, &me.phases, first, &point.frequencies, time, point.carriers);
            let mut gain: u64 = 0;
            let mut error: u64 = 0;
            for carrier in 0..point.carriers {
                gain += u64::from(gains[carrier as usize]);
                error += u64::from(look_up(&point.tables, FIRST_ERROR, gains[carrier as usize]));
            }
            let carriers = u64::from(point.carriers);
            Payload { gain: (gain / carriers) as u32, error: (error / carriers) as u32, ..payload }
        }

        fn phy_from_channel(me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda, _post: &mut Post) {
            me.heard += 1;
            me.gain += u64::from(payload.gain);
            if payload.frame == DATA {
                agenda.schedule(0, Kind::MacDataFromPhy, payload);
            } else {
                agenda.schedule(0, Kind::MacControlFromPhy, payload);
            }
        }

        fn mac_data_from_phy(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, _post: &mut Post) {
            let mut answer = ACK;
            if me.loses(payload, point, FIRST_DATA) {
                me.refused += 1;
                answer = NACK;
            } else {
                me.received += 1;
                agenda.schedule(0, Kind::AppDeliver, payload);
            }
            let delay = me.turn(agenda.now(), point.turnaround, point.control_air);
            let back = Payload { from: agenda.module(), to: payload.from, frame: answer, ..payload };
            agenda.schedule(delay, Kind::PhyFromMac, back);
        }

        fn mac_control_from_phy(me: &mut Module, payload: Payload, point: &Point, _agenda: &mut Agenda, _post: &mut Post) {
            if me.loses(payload, point, FIRST_CONTROL) {
                me.spoilt += 1;
            } else if payload.frame == ACK {
                me.acks += 1;
            } else {
                me.nacks += 1;
            }
        }

        fn app_deliver(me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda, _post: &mut Post) {
            me.delivered += 1;
            me.delay += agenda.now() - payload.made;
        }

        impl Module {
            /// After how long the radio begins with a frame that takes so long: not before `wait`, and after what it has to send already.
            fn turn(&mut self, now: u64, wait: u64, air: u64) -> u64 {
                let begin = (now + wait).max(self.free_at);
                self.free_at = begin + air;
                begin - now
            }

            /// Whether a frame is lost, by the table of such frames.
            fn loses(&mut self, payload: Payload, point: &Point, table: u32) -> bool {
                self.rng.next_u32() < look_up(&point.tables, table, payload.error)
            }
        }
    }
}
