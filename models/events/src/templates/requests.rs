//! Execution of single events that the host chooses.

/// Kernel by which the device executes one event for each module, whose list the host keeps (Kunz et al. 2012).
#[imminent_core::kernels(template)]
pub mod coprocessor {
    /// Request to execute an event at a module in a round of the co-processor.
    #[derive(Row)]
    pub struct Request {
        /// Time of the event, in ticks.
        pub time: u64,
        /// Kind of the event; the greatest number if there is none.
        pub kind: u32,
        /// Payload of the event.
        pub payload: Payload,
    }

    /// Response to a request.
    #[derive(Row)]
    pub struct Response {
        /// Number of scheduled events.
        pub count: u32,
        /// Error code, as in a list.
        pub trouble: u32,
        /// Scheduled events.
        pub events: Lanes<Event>,
    }

    /// Executes an event that the host has chosen.
    #[kernel]
    pub fn execute(
        own: &mut Own,
        response: &mut Response,
        request: &Request,
        terms: &Rows<Terms>,
        points: &Rows<Point>,
    ) {
        response.count = 0;
        if request.kind == u32::MAX {
            return;
        }
        let of_all = terms.get(own.list.simulation);
        own.list.begin(request.time, request.kind, of_all.most);
        let mut agenda =
            Agenda { list: own.list, payloads: own.payloads, post: own.post, links: own.links, terms: of_all };
        handle(request.kind, own.me, request.payload, points.get(of_all.point), &mut agenda);
        for place in 0..own.list.waiting {
            let key = own.list.key(place);
            let payload = own.payloads.slots.get(key.slot);
            let to = own.list.module;
            response.events.set(place, Event { time: key.time, tie: key.tie, to, kind: key.kind, payload });
        }
        for number in 0..own.list.sent {
            response.events.set(own.list.waiting + number, own.post.events.get(number));
        }
        response.count = own.list.waiting + own.list.sent;
        response.trouble = own.list.trouble;
        own.list.waiting = 0;
        own.list.touched = 0;
        own.list.sent = 0;
    }
}
