//! Event handlers of the mesh's nodes.

crate::event_model! {
    /// Nodes with an application, a medium access control and a radio, all within range of each other (Kunz et al.
    /// 2012, section V-C). Times are in nanoseconds.
    pub mod mesh {
        events {
            /// The application generates a packet.
            AppGenerate => app_generate,
            /// Medium access control takes a packet from the application.
            MacFromApp => mac_from_app,
            /// The radio sends a frame.
            PhyFromMac => phy_from_mac,
            /// A frame arrives over the channel.
            PhyFromChannel => phy_from_channel,
            /// Medium access control checks a data frame, and replies with a control frame.
            MacDataFromPhy => mac_data_from_phy,
            /// Medium access control checks a control frame.
            MacControlFromPhy => mac_control_from_phy,
            /// The application takes a packet.
            AppDeliver => app_deliver,
        }
        prepared {
            PhyFromChannel { lanes: 80, groups: 5, rounds: 4 }
        }

        use imminent_core::random::Pcg32;
        use crate::mesh::curve::knots::{KNOTS, look_up};
        use crate::mesh::fading::waves::{FIRST_OTHER, PHASES, RAYS, Wave, Wave as Scratch, echo, gain_over, gains, ray};

        /// Start of the table of errors by gain in a point.
        pub const FIRST_ERROR: u32 = FIRST_OTHER;
        /// Start of the table of data frame losses by mean error.
        pub const FIRST_DATA: u32 = FIRST_OTHER + KNOTS as u32;
        /// Start of the table of control frame losses by mean error.
        pub const FIRST_CONTROL: u32 = FIRST_OTHER + 2 * (KNOTS as u32);

        /// Data frame, for all nodes.
        pub const DATA: u32 = 0;
        /// Control frame for a data frame received without errors.
        pub const ACK: u32 = 1;
        /// Control frame for a data frame received with errors.
        pub const NACK: u32 = 2;

        /// State of a node.
        #[derive(Row)]
        pub struct Module {
            /// Generator for the loss of frames.
            pub rng: Pcg32,
            /// Time from which the radio has nothing more to send.
            pub free_at: u64,
            /// Number of packets that the application generated.
            pub sent: u32,
            /// Number of data frames received without errors, each confirmed by an ACK.
            pub received: u32,
            /// Number of data frames received with errors, each answered by a NACK.
            pub refused: u32,
            /// Number of ACKs received without errors.
            pub acks: u32,
            /// Number of NACKs received without errors.
            pub nacks: u32,
            /// Number of control frames received with errors.
            pub spoilt: u32,
            /// Number of packets delivered to the application.
            pub delivered: u32,
            /// Sum of the times from a packet's generation to its delivery, in nanoseconds.
            pub delay: u64,
            /// Number of frames that arrived over the channel.
            pub heard: u32,
            /// Sum of the mean gains over subcarriers of these frames, in units of 2^-20.
            pub gain: u64,
            /// Phases of the waves from each other node: see [`PHASES`].
            pub phases: Lanes<u32>,
        }

        /// Payload of an event: 67 words, the paper's 268 bytes.
        pub struct Payload {
            /// Node that sent the frame.
            pub from: u32,
            /// Node that a control frame is for.
            pub to: u32,
            /// Number of the packet among those of its node.
            pub packet: u32,
            /// Type of the frame: [`DATA`], [`ACK`] or [`NACK`].
            pub frame: u32,
            /// Time at which the packet was generated.
            pub made: u64,
            /// Mean gain over subcarriers of the received frame, in units of 2^-20.
            pub gain: u32,
            /// Mean symbol error over subcarriers of the received frame, in units of 2^-32.
            pub error: u32,
            /// Padding to the size of a frame.
            pub rest: [u32; 59],
        }

        /// Parameters of a mesh.
        #[derive(Row)]
        pub struct Point {
            /// Time from a packet of an application to its next.
            pub period: u64,
            /// Transmission time of a data frame.
            pub data_air: u64,
            /// Transmission time of a control frame.
            pub control_air: u64,
            /// Propagation delay between nodes.
            pub propagation: u64,
            /// Least time from the end of a data frame to the start of its control frame.
            pub turnaround: u64,
            /// Number of subcarriers.
            pub carriers: u32,
            /// Doppler frequencies, in units of 2^-64 turns per nanosecond.
            pub frequencies: [u64; RAYS],
            /// Tables of the channel and of errors.
            pub tables: Lanes<u32>,
        }

        fn app_generate(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
            me.sent += 1;
            agenda.schedule(0, Kind::MacFromApp, Payload { made: agenda.now(), ..payload });
            agenda.schedule(point.period, Kind::AppGenerate, Payload { packet: payload.packet + 1, ..payload });
        }

        fn mac_from_app(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
            let delay = me.turn(agenda.now(), 0, point.data_air);
            agenda.schedule(delay, Kind::PhyFromMac, Payload { from: agenda.module(), frame: DATA, ..payload });
        }

        fn phy_from_mac(_me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
            if payload.frame != DATA {
                agenda.send(payload.to, point.control_air + point.propagation, Kind::PhyFromChannel, payload);
                return;
            }
            for to in 0..agenda.modules() {
                if to != agenda.module() {
                    agenda.send(to, point.data_air + point.propagation, Kind::PhyFromChannel, payload);
                }
            }
        }

        /// Results of the first lane for an arriving frame.
        #[derive(Row)]
        pub struct Share {
            /// Mean gain over subcarriers.
            pub gain: u32,
            /// Mean symbol error.
            pub error: u32,
        }

        /// Returns the start of a link's phases at a node.
        fn first_phase(module: u32, from: u32) -> u32 {
            let mut link = from;
            if link > module {
                link -= 1;
            }
            link * (PHASES as u32)
        }

        /// Computes the gains and errors of an arriving frame by a group: first with a lane for each ray, then for each
        /// echo, for each subcarrier, and one for their means.
        fn prepare_part(
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

        /// Returns a frame with the results of its group.
        fn unite(payload: Payload, shares: &Rows<Share>, first: u32, _point: &Point) -> Payload {
            let found = shares.get(first);
            Payload { gain: found.gain, error: found.error, ..payload }
        }

        /// Computes the means of a frame's gains and errors without a group.
        fn prepare_alone(me: &Module, module: u32, payload: Payload, point: &Point, time: u64) -> Payload {
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

        fn phy_from_channel(me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda) {
            me.heard += 1;
            me.gain += u64::from(payload.gain);
            if payload.frame == DATA {
                agenda.schedule(0, Kind::MacDataFromPhy, payload);
            } else {
                agenda.schedule(0, Kind::MacControlFromPhy, payload);
            }
        }

        fn mac_data_from_phy(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
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

        fn mac_control_from_phy(me: &mut Module, payload: Payload, point: &Point, _agenda: &mut Agenda) {
            if me.loses(payload, point, FIRST_CONTROL) {
                me.spoilt += 1;
            } else if payload.frame == ACK {
                me.acks += 1;
            } else {
                me.nacks += 1;
            }
        }

        fn app_deliver(me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda) {
            me.delivered += 1;
            me.delay += agenda.now() - payload.made;
        }

        impl Module {
            /// Returns the time until the radio sends a frame of length `air`: at least `wait`, and after all frames it
            /// has to send already.
            fn turn(&mut self, now: u64, wait: u64, air: u64) -> u64 {
                let begin = (now + wait).max(self.free_at);
                self.free_at = begin + air;
                begin - now
            }

            /// Draws whether a frame is lost, by the table for its type.
            fn loses(&mut self, payload: Payload, point: &Point, table: u32) -> bool {
                self.rng.next_u32() < look_up(&point.tables, table, payload.error)
            }
        }
    }
}
