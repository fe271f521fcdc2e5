fn vector(v: vec4<u32>, row: u32) -> Acc {
    return join(one(v.xy, row), one(v.zw, row + 1u));
}
