//! Templates, and modules that include them.
#[imminent_core::kernels(template)]
mod desk {
    #[derive(Row)]
    pub struct Desk { pub waiting: Count }

    fn serve(me: &mut Desk) { me.waiting -= 1; }
}

#[imminent_core::kernels(with(desk))]
mod lacks_a_type {}

#[imminent_core::kernels(template)]
mod wrong_for_some {
    fn double(x: Number) -> Number { x << 1 }
}

#[imminent_core::kernels(Number = [u32, f32], with(wrong_for_some))]
mod of_a_list {}

#[imminent_core::kernels(template)]
mod leads_outside {
    use super::WIDTH;
}

#[imminent_core::kernels]
mod plain {}

#[imminent_core::kernels(with(plain))]
mod includes_no_template {}

#[imminent_core::kernels]
mod imports_a_template {
    use super::desk::Desk;
}

#[imminent_core::kernels(with())]
mod includes_nothing {}

#[imminent_core::kernels(template, with(desk))]
mod template_with_a_template {}

#[imminent_core::kernels(templat)]
mod misspelt {}

#[imminent_core::kernels]
mod sizes {
    #[derive(Row)]
    pub struct Cell { pub x: u32 }

    const HUGE: u32 = 1024;

    #[kernel(group = HUGE)]
    fn huge(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = MISSING)]
    fn missing(group: &mut Group<u32>, cells: &mut Each<Cell>) {}
}

const WIDTH: u32 = 1;

fn main() {}
