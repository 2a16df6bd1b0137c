//! GGUF files: those that others wrote, those written here, and quantizing them.

use tilework::ErrorKind;
use tilework::layers::core::quant::Format;
use tilework_nn::gguf::{Files, Gguf, Metadata, Parsed, Recipe, Source, Value, Values, Writer, plan, quantize};

fn testdata(name: &str) -> Vec<u8> {
    let path = format!("{}/../../testdata/gguf/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A file of these metadata and tensors, whose bytes count up.
fn file(metadata: Metadata, tensors: &[(&str, &[u64], Format)]) -> Vec<u8> {
    let mut writer = Writer::new(metadata).unwrap();
    for (name, shape, format) in tensors {
        writer.add(*name, shape, *format).unwrap();
    }
    let mut bytes = writer.head();
    for tensor in writer.tensors() {
        bytes.extend((0..tensor.size_bytes).map(|i| i as u8));
        bytes.resize(bytes.len() + writer.padding(tensor), 0);
    }
    bytes
}

#[test]
fn a_file_of_the_python_package_is_read() {
    let bytes = testdata("small.gguf");
    let gguf = Gguf::read(&bytes).unwrap();
    assert_eq!(gguf.version, 3);
    let expected = [
        ("general.architecture", Value::String("test".into())),
        ("a.u8", Value::U8(200)),
        ("a.i8", Value::I8(-100)),
        ("a.u16", Value::U16(60000)),
        ("a.i16", Value::I16(-30000)),
        ("a.u32", Value::U32(4_000_000_000)),
        ("a.i32", Value::I32(-2_000_000_000)),
        ("a.f32", Value::F32(0.15625)),
        ("a.u64", Value::U64((1 << 63) + 1)),
        ("a.i64", Value::I64(-(1 << 62))),
        ("a.f64", Value::F64(1e300)),
        ("a.bool", Value::Bool(true)),
        ("a.string", Value::String("größer\n".into())),
        ("a.strings", Value::Array(Values::String(vec!["one".into(), String::new(), "zwei ½".into()]))),
        ("a.floats", Value::Array(Values::F32(vec![0.5, -2.0]))),
        ("a.ints", Value::Array(Values::I32(vec![1, -2, 3]))),
        ("a.nested", Value::Array(Values::Array(vec![Values::I32(vec![1, 2]), Values::I32(vec![3])]))),
    ];
    for (key, value) in &expected {
        assert_eq!(gguf.metadata.get(key), Some(value), "{key}");
    }
    let shapes: Vec<_> = gguf.tensors.iter().map(|t| (t.name.as_str(), t.shape.clone(), t.format)).collect();
    let matrix = ("matrix", vec![3, 4], Format::F16);
    assert_eq!(shapes, [("vector", vec![5], Format::F32), matrix, ("quantized", vec![2, 64], Format::Q8_0)]);
    let sources: [&dyn Source; 1] = [&bytes];
    let files = Files::open(&sources).unwrap();
    let tensor = files.gguf().tensor("matrix").unwrap();
    let mut half = [0; 24];
    files.read(tensor, 0, &mut half).unwrap();
    let mut weights = [0.0; 12];
    tensor.format.decode(&half, &mut weights);
    assert_eq!(weights, std::array::from_fn(|i| i as f32));
}

#[test]
fn what_is_written_is_read_again() {
    let mut metadata = Gguf::read(&testdata("small.gguf")).unwrap().metadata;
    metadata.set("general.alignment", Value::U32(64));
    let bytes = file(metadata.clone(), &[("a", &[3], Format::F32), ("b", &[2, 3, 1, 256], Format::Q6K)]);
    let gguf = Gguf::read(&bytes).unwrap();
    assert_eq!((gguf.metadata, gguf.alignment), (metadata, 64));
    assert_eq!((gguf.tensors[1].offset, gguf.tensors[1].size_bytes), (64, 6 * 210));
    assert_eq!(gguf.tensors[1].shape, [2, 3, 1, 256]);
    assert!(gguf.data_offset.is_multiple_of(64));
}

#[test]
fn typed_readers_say_which_key_and_type() {
    let metadata = Gguf::read(&testdata("small.gguf")).unwrap().metadata;
    assert_eq!(metadata.u32("a.u8").unwrap(), Some(200));
    assert_eq!(metadata.u32("nothing").unwrap(), None);
    assert_eq!(
        metadata.u32s("a.ints").unwrap_err().message(),
        "`a.ints` should be u32 or array of u32 and is array of i32"
    );
    let error = metadata.u32("a.i8").unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Io, "`a.i8` should be u32 and is i8 -100"));
    assert!(
        metadata.string("a.u8").is_err() && metadata.strings("a.floats").is_err() && metadata.bool("a.f32").is_err()
    );
}

#[test]
fn a_head_can_be_streamed() {
    let bytes = testdata("small.gguf");
    let whole = Gguf::read(&bytes).unwrap();
    let mut n_bytes = 0;
    let mut n_tries = 0;
    let gguf = loop {
        n_tries += 1;
        match Gguf::parse(&bytes[..n_bytes]).unwrap() {
            Parsed::Done(gguf) => break gguf,
            Parsed::NeedMore(more) => {
                assert!(more > n_bytes as u64);
                n_bytes = usize::try_from(more).unwrap();
            }
        }
    };
    assert_eq!(gguf, whole);
    assert!(n_bytes as u64 <= whole.data_offset && n_tries > 10);
}

fn split(number: u16, count: u16, tensor: &str) -> Vec<u8> {
    let mut metadata = Metadata::new();
    metadata.set("split.no", Value::U16(number));
    metadata.set("split.count", Value::U16(count));
    metadata.set("split.tensors.count", Value::I32(2));
    file(metadata, &[(tensor, &[2 + u64::from(number)], Format::F32)])
}

#[test]
fn parts_of_a_split_model_are_joined() {
    let (first, second) = (split(0, 2, "a"), split(1, 2, "b"));
    let sources: [&dyn Source; 2] = [&second, &first];
    let files = Files::open(&sources).unwrap();
    let tensors: Vec<_> = files.gguf().tensors.iter().map(|t| (t.name.as_str(), t.split, t.size_bytes)).collect();
    assert_eq!(tensors, [("a", 0, 8), ("b", 1, 12)]);
    let mut bytes = [0; 4];
    files.read(&files.gguf().tensors[1], 8, &mut bytes).unwrap();
    assert_eq!(bytes, [8, 9, 10, 11]);
    assert!(files.read(&files.gguf().tensors[1], 9, &mut bytes).is_err());

    let refused = |sources: &[&dyn Source]| Files::open(sources).err().unwrap().message().to_owned();
    assert_eq!(refused(&[&first]), "this is one of 2 files and 1 were given");
    assert_eq!(refused(&[&first, &first]), "file 2 of 2 is missing or there twice");
    assert_eq!(refused(&[&first, &split(1, 2, "a")]), "tensor `a` is in two of the files");
    assert_eq!(refused(&[]), "no file was given");
}

/// The tensors of `model` in make.py.
fn model(shape: &[u64]) -> Vec<u8> {
    let [layers, cols, feed, heads, kv_heads, experts, tied] = *shape else { panic!("{shape:?}") };
    let mut metadata = Metadata::new();
    metadata.set("general.architecture", Value::String("llama".into()));
    for (key, value) in [
        ("block_count", layers),
        ("attention.head_count", heads),
        ("attention.head_count_kv", kv_heads),
        ("expert_count", experts),
    ] {
        metadata.set(format!("llama.{key}"), Value::U32(value as u32));
    }
    let mut writer = Writer::new(metadata).unwrap();
    let mut add = |name: &str, shape: &[u64]| writer.add(name, shape, Format::F32).unwrap();
    add("token_embd.weight", &[32, cols]);
    add("output_norm.weight", &[cols]);
    if tied == 0 {
        add("output.weight", &[32, cols]);
    }
    let kv_cols = cols / heads * kv_heads;
    for layer in 0..layers {
        let mut add = |name: &str, shape: &[u64]| add(&format!("blk.{layer}.{name}.weight"), shape);
        for (name, rows) in [("attn_q", cols), ("attn_k", kv_cols), ("attn_v", kv_cols), ("attn_output", cols)] {
            add(name, &[rows, cols]);
        }
        add("attn_norm", &[cols]);
        add("ffn_norm", &[cols]);
        if experts > 0 {
            add("ffn_gate_inp", &[experts, cols]);
            add("ffn_gate_exps", &[experts, feed, cols]);
            add("ffn_up_exps", &[experts, feed, cols]);
            add("ffn_down_exps", &[experts, cols, feed]);
        } else {
            add("ffn_gate", &[feed, cols]);
            add("ffn_up", &[feed, cols]);
            add("ffn_down", &[cols, feed]);
        }
    }
    writer.head()
}

#[test]
fn recipes_choose_the_formats_llama_cpp_chooses() {
    let text = String::from_utf8(testdata("recipes.txt")).unwrap();
    let mut n_lines = 0;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let mut next = || words.next().unwrap();
        let shape: Vec<u64> = next().split(',').map(|n| n.parse().unwrap()).collect();
        let (recipe, most) = (Recipe::from_name(next()).unwrap(), Format::from_name(next()).unwrap());
        let others: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
        let Parsed::Done(gguf) = Gguf::parse(&model(&shape)).unwrap() else { panic!("a whole head") };
        for (tensor, format) in gguf.tensors.iter().zip(plan(&gguf, recipe).unwrap()) {
            if tensor.n_elements() > shape[1] {
                let other = others.iter().find(|other| other.0 == tensor.name);
                let expected = other.map_or(most, |other| Format::from_name(other.1).unwrap());
                assert_eq!(format, expected, "{shape:?} {recipe:?} {}", tensor.name);
            } else {
                assert_eq!(format, Format::F32, "{}", tensor.name);
            }
        }
        n_lines += 1;
    }
    assert_eq!(n_lines, 4 * Recipe::all().count());
}

#[test]
fn a_quantized_model_is_near_and_says_what_it_is() {
    let mut metadata = Metadata::new();
    metadata.set("general.architecture", Value::String("llama".into()));
    metadata.set("llama.block_count", Value::U32(1));
    metadata.set("split.count", Value::U16(0));
    let mut writer = Writer::new(metadata).unwrap();
    // More than one piece of a tensor, rows that are no multiple of 256, and a vector.
    for (name, shape) in
        [("blk.0.ffn_up.weight", &[4200u64, 256][..]), ("blk.0.attn_q.weight", &[3, 64]), ("blk.0.x", &[5])]
    {
        writer.add(name, shape, Format::F32).unwrap();
    }
    let mut source = writer.head();
    let weight = |i: u64| ((i % 1009) as f32 * 0.37).sin();
    for tensor in writer.tensors() {
        source.extend((0..tensor.n_elements()).flat_map(|i| weight(i).to_le_bytes()));
        source.resize(source.len() + writer.padding(tensor), 0);
    }
    let sources: [&dyn Source; 1] = [&source];
    let files = Files::open(&sources).unwrap();
    let (mut out, mut steps) = (Vec::new(), Vec::new());
    let mut sink = |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        Ok(())
    };
    quantize(&files, Recipe::Q4_K_M, &mut sink, &mut |step| {
        steps.push((step.tensor.name.clone(), step.format));
        Ok(())
    })
    .unwrap();
    assert_eq!(steps.iter().map(|step| step.1).collect::<Vec<_>>(), [Format::Q4K, Format::Q5_0, Format::F32]);
    let sources: [&dyn Source; 1] = [&out];
    let files = Files::open(&sources).unwrap();
    assert_eq!(files.gguf().metadata.u32("general.file_type").unwrap(), Some(15));
    assert!(files.gguf().metadata.get("split.count").is_none());
    for tensor in &files.gguf().tensors {
        let mut bytes = vec![0; usize::try_from(tensor.size_bytes).unwrap()];
        files.read(tensor, 0, &mut bytes).unwrap();
        let mut weights = vec![0.0; usize::try_from(tensor.n_elements()).unwrap()];
        tensor.format.decode(&bytes, &mut weights);
        let worst = (0..).zip(weights).map(|(i, w)| (w - weight(i)).abs()).fold(0.0, f32::max);
        assert!(worst < if tensor.format == Format::F32 { 1e-9 } else { 0.12 }, "{}: {worst}", tensor.name);
    }
}

#[test]
fn quantizing_stops_when_asked() {
    let source = file(Metadata::new(), &[("a.weight", &[4, 32], Format::F32)]);
    let sources: [&dyn Source; 1] = [&source];
    let files = Files::open(&sources).unwrap();
    let stop = || tilework::Error::argument("quantize", "stopped");
    let error = quantize(&files, Recipe::Q8_0, &mut |_| Ok(()), &mut |_| Err(stop())).unwrap_err();
    assert_eq!(error, stop());
}
