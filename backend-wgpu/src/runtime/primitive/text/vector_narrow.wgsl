fn vector(v: vec4<u32>, row: u32) -> Acc {
    return join(join(one(v.x, row), one(v.y, row + 1u)), join(one(v.z, row + 2u), one(v.w, row + 3u)));
}
