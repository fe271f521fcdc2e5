//! The macro that makes a model of a rule.

/// Makes a model of cells of a rule that stands in a kernel module.
///
/// ```
/// #[imminent_core::kernels]
/// pub mod life {
///     #[derive(Params)]
///     pub struct Life {
///         pub generation: u32,
///     }
///
///     pub struct Next {
///         pub value: u32,
///         pub delay: u32,
///     }
///
///     pub fn live(own: u32, seen: &[u32; 8], life: &Life) -> Next {
///         let mut alive = 0;
///         for neighbour in 0..8u32 {
///             alive += seen[neighbour as usize];
///         }
///         let lives = alive == 3 || alive == 2 && own == 1;
///         Next { value: lives as u32, delay: life.generation }
///     }
/// }
///
/// imminent_cell::cell_model! {
///     /// Kernels of the game of life.
///     pub mod living for life {
///         model: Life,
///         value: u32,
///         undefined: 0,
///         neighbours: 8,
///         rule: live(own, seen, model),
///     }
/// }
/// # fn main() {}
/// ```
///
/// `life` is a kernel module beside the macro; a `use` that brings it there does as well. `living` is written: a module
/// of kernels for the type of value.
///
/// | entry | contents |
/// | --- | --- |
/// | `model` | name of the parameters, a struct with `derive(Params)`, for which [`CellModel`](crate::model::CellModel) is implemented |
/// | `value` | type of a cell's value: a scalar of the kernel language, or the name of a plain struct of the module. It has at most 36 bytes |
/// | `undefined` | constant expression: the value that the rule sees in place of a neighbour beyond an open border, and as input where none came |
/// | `neighbours` | largest number of neighbours, from 1 to 128: the length of the array `seen` |
/// | `same` | optional for a scalar: function `(a, b, model) -> bool` that returns `true` if two values are equal |
/// | `rule` | name of the function, and its parameters in their order |
///
/// | parameter | type | contents |
/// | --- | --- | --- |
/// | `here` | [`&Here`](crate::model::here::Here) | cell, time, coordinates, zone, and the neighbours that exist |
/// | `own` | value | value that the cell emitted last |
/// | `seen` | `&[value; neighbours]` | values that the neighbours emitted last, in the order of the neighbourhood |
/// | `input` | value | external input at this time, if `here.fed` |
/// | `model` | `&Model` | parameters |
/// | `random` | `&mut Pcg32` | the cell's own stream of random numbers |
///
/// The rule returns a struct with the fields `value`, and `delay` in milliseconds.
#[macro_export]
macro_rules! cell_model {
    (
        $(#[$meta:meta])*
        $vis:vis mod $name:ident for $module:ident {
            model: $Model:ident,
            value: $Value:ident,
            undefined: $undefined:expr,
            neighbours: $neighbours:tt,
            $(same: $same:ident,)?
            rule: $rule:ident($($parameter:ident),* $(,)?) $(,)?
        }
    ) => {
        $crate::__cell_rule! {
            [here own seen input model random] [] [false] [false] [$($parameter)*] [$($parameter)*]
            $Value [$($same)?]
            [$(#[$meta])* $vis mod $name, $module, $Model, $Value, $undefined, $neighbours, $rule]
        }
    };
}

/// Turns the parameters of a rule, one after the other, into arguments, in the order of the user.
///
/// The parameters come twice: to be told apart by their names, and to be taken as the user's tokens, at which errors
/// point. The first list has the names of all parameters, in the order of the function that calls the rule. The macro
/// also notes whether the rule looks around, and whether it draws.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_rule {
    ([$h:ident $o:ident $s:ident $i:ident $m:ident $r:ident] [$($done:tt)*] $looks:tt $draws:tt [here $($n:tt)*] [$p:ident $($q:tt)*] $($rest:tt)*) => {
        $crate::__cell_rule! { [$p $o $s $i $m $r] [$($done)* $p,] [true] $draws [$($n)*] [$($q)*] $($rest)* }
    };
    ([$h:ident $o:ident $s:ident $i:ident $m:ident $r:ident] [$($done:tt)*] $looks:tt $draws:tt [own $($n:tt)*] [$p:ident $($q:tt)*] $($rest:tt)*) => {
        $crate::__cell_rule! { [$h $p $s $i $m $r] [$($done)* $p,] $looks $draws [$($n)*] [$($q)*] $($rest)* }
    };
    ([$h:ident $o:ident $s:ident $i:ident $m:ident $r:ident] [$($done:tt)*] $looks:tt $draws:tt [seen $($n:tt)*] [$p:ident $($q:tt)*] $($rest:tt)*) => {
        $crate::__cell_rule! { [$h $o $p $i $m $r] [$($done)* $p,] $looks $draws [$($n)*] [$($q)*] $($rest)* }
    };
    ([$h:ident $o:ident $s:ident $i:ident $m:ident $r:ident] [$($done:tt)*] $looks:tt $draws:tt [input $($n:tt)*] [$p:ident $($q:tt)*] $($rest:tt)*) => {
        $crate::__cell_rule! { [$h $o $s $p $m $r] [$($done)* $p,] $looks $draws [$($n)*] [$($q)*] $($rest)* }
    };
    ([$h:ident $o:ident $s:ident $i:ident $m:ident $r:ident] [$($done:tt)*] $looks:tt $draws:tt [model $($n:tt)*] [$p:ident $($q:tt)*] $($rest:tt)*) => {
        $crate::__cell_rule! { [$h $o $s $i $p $r] [$($done)* $p,] $looks $draws [$($n)*] [$($q)*] $($rest)* }
    };
    ([$h:ident $o:ident $s:ident $i:ident $m:ident $r:ident] [$($done:tt)*] $looks:tt $draws:tt [random $($n:tt)*] [$p:ident $($q:tt)*] $($rest:tt)*) => {
        $crate::__cell_rule! { [$h $o $s $i $m $p] [$($done)* $p,] $looks [true] [$($n)*] [$($q)*] $($rest)* }
    };
    ($names:tt $done:tt $looks:tt $draws:tt [] [] $Value:ident $same:tt $what:tt) => {
        $crate::__cell_same! { $Value $same [$names $done $looks $draws $what] }
    };
    ($names:tt $done:tt $looks:tt $draws:tt [$other:ident $($n:tt)*] $($rest:tt)*) => {
        compile_error!(concat!(
            "a rule has no parameter `", stringify!($other), "`: there are `here`, `own`, `seen`, `input`, `model` and `random`"
        ));
    };
}

/// Chooses how values are compared: by the user's function, or by a template.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_same {
    (f32 [] $rest:tt) => {
        $crate::__cell_value! { f32 [] [float_equality] $rest }
    };
    (f64 [] $rest:tt) => {
        $crate::__cell_value! { f64 [] [float_equality] $rest }
    };
    ($Value:ident [] $rest:tt) => {
        $crate::__cell_value! { $Value [] [equality] $rest }
    };
    ($Value:ident [$same:ident] $rest:tt) => {
        $crate::__cell_value! { $Value [$same] [] $rest }
    };
}

/// Tells scalars, which are types of the kernel language, from structs, which are imported from the user's module.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_value {
    (bool $($rest:tt)*) => {
        $crate::__cell_module! { [scalar bool] $($rest)* }
    };
    (u32 $($rest:tt)*) => {
        $crate::__cell_module! { [scalar u32] $($rest)* }
    };
    (i32 $($rest:tt)*) => {
        $crate::__cell_module! { [scalar i32] $($rest)* }
    };
    (u64 $($rest:tt)*) => {
        $crate::__cell_module! { [scalar u64] $($rest)* }
    };
    (i64 $($rest:tt)*) => {
        $crate::__cell_module! { [scalar i64] $($rest)* }
    };
    (f32 $($rest:tt)*) => {
        $crate::__cell_module! { [scalar f32] $($rest)* }
    };
    (f64 $($rest:tt)*) => {
        $crate::__cell_module! { [scalar f64] $($rest)* }
    };
    ($Struct:ident [] $($rest:tt)*) => {
        compile_error!(concat!(
            "values of the type `",
            stringify!($Struct),
            "` are compared by a function: add `same: name,` before `rule`, \
             where `name` is `fn name(a: ",
            stringify!($Struct),
            ", b: ",
            stringify!($Struct),
            ", model: &..) -> bool`"
        ));
    };
    ($Struct:ident $($rest:tt)*) => {
        $crate::__cell_module! { [struct $Struct] $($rest)* }
    };
}

/// Writes the kernel module `cells` of a model. In it the type of a value is `Value`.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_kernels {
    ([scalar $Scalar:ident] $module:ident [$($equality:ident)?] { $($items:tt)* }) => {
        #[$crate::__core::kernels(Value = [$Scalar as cells], with(
            $crate::engine::kernels::templates::values,
            $($crate::engine::kernels::templates::$equality,)?
            $crate::engine::kernels::templates::ruled,
            $crate::engine::kernels::templates::advance,
            $crate::engine::kernels::templates::batch,
            $crate::engine::kernels::templates::change
        ))]
        mod kernels {
            $($items)*
        }

        pub use kernels::cells;
    };
    ([struct $Struct:ident] $module:ident [] { $($items:tt)* }) => {
        /// Kernels of the model.
        #[$crate::__core::kernels(with(
            $crate::engine::kernels::templates::values,
            $crate::engine::kernels::templates::ruled,
            $crate::engine::kernels::templates::advance,
            $crate::engine::kernels::templates::batch,
            $crate::engine::kernels::templates::change
        ))]
        pub mod cells {
            use super::super::$module::$Struct as Value;
            $($items)*
        }
    };
}

/// Writes the module of a model. `$Type` is the type of a value outside of the kernels.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_module {
    (
        $value:tt [$($same:ident)?] $equality:tt
        [
            [$here:ident $own:ident $seen:ident $input:ident $model:ident $random:ident]
            [$($argument:tt)*] [$looks:tt] [$draws:tt]
            [
                $(#[$meta:meta])* $vis:vis mod $name:ident,
                $module:ident, $Model:ident, $Type:ident, $undefined:expr, $neighbours:tt, $rule:ident
            ]
        ]
    ) => {
        $(#[$meta])*
        #[allow(unused_imports, unused_variables)]
        $vis mod $name {
            use super::$module::*;

            const _: () = assert!(
                <$Type as $crate::__core::Data>::WORDS <= $crate::model::MAX_WORDS,
                "a value of a cell takes at most 36 bytes: make the struct smaller"
            );

            /// Value of a neighbour beyond an open border.
            pub const UNDEFINED: $Type = $undefined;
            /// Input of a cell to which none comes.
            pub const NO_INPUT: $Type = UNDEFINED;

            $crate::__cell_kernels! {
                $value $module $equality {
                    use super::super::$module::{$Model as Model, $rule as rule};
                    $(pub use super::super::$module::$same as same;)?
                    use $crate::engine::kernels::facts::Nothing as Facts;

                    /// Largest number of neighbours.
                    pub const MAX_NEIGHBOURS: usize = $neighbours;
                    /// Value that stands for an undefined one.
                    const UNDEFINED: Value = super::UNDEFINED;
                    /// Input of a cell to which none comes.
                    const NO_INPUT: Value = super::NO_INPUT;
                    /// `true` if the rule takes the circumstances of the cell.
                    const LOOKS: bool = $looks;

                    /// Calls the rule.
                    pub fn apply(
                        $here: &Here,
                        $own: Value,
                        $seen: &[Value; MAX_NEIGHBOURS],
                        $input: Value,
                        $model: &Model,
                        $random: &mut Pcg32,
                    ) -> Next {
                        let next = rule($($argument)*);
                        Next { value: next.value, delay: next.delay, state: FOUND }
                    }
                }
            }

            $crate::__cell_contract! {
                value: $Type,
                input: $Type,
                facts: $crate::engine::kernels::facts::Nothing,
                model: $Model,
                {}
            }

            impl $crate::model::CellModel for $Model {
                const MAX_NEIGHBOURS: usize = cells::MAX_NEIGHBOURS;
                const DRAWS: bool = $draws;

                fn input(value: $Type) -> $Type {
                    value
                }

                fn table() -> ::std::vec::Vec<$crate::engine::kernels::facts::Nothing> {
                    ::std::vec![$crate::engine::kernels::facts::Nothing { nothing: 0 }]
                }

                fn rule(
                    &self,
                    here: &$crate::engine::kernels::here::Here,
                    own: $Type,
                    seen: &[$Type],
                    input: $Type,
                    random: &mut $crate::__core::random::Pcg32,
                ) -> ($Type, u32) {
                    let mut all = [UNDEFINED; cells::MAX_NEIGHBOURS];
                    all.iter_mut().zip(seen).for_each(|(to, from)| *to = *from);
                    let next = cells::apply(here, own, &all, input, self, random);
                    (next.value, next.delay)
                }
            }
        }
    };
}
