//! `tilework solve mesh`: a mesh, changed until an energy is small.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;
use tilework_solve::formats::{Mesh, MeshFormat};
use tilework_solve::problems::mesh::{Energy, MeshProblem, icosphere, parameterize, saddle};
use tilework_solve::{Method, SolveOptions, Summary};

use super::settings::{Settings, with_settings};
use super::{input, runner};
use crate::failure::{Failure, Outcome, Verdict};
use crate::terminal::Out;

const FLATTEN: &str = "flatten";

const EXAMPLES: &str = "\
Examples:
  tilework solve mesh icosphere:3 --energy developability --out pieces.obj
  tilework solve mesh spot.obj --energy smoothing:2 --out smooth.ply
  tilework solve mesh spot.obj --energy arap --fix 0 --fix 1 --move 2:0,1.5,0 --out bent.obj
  tilework solve mesh icosphere:3 --energy developability:1,area:10,box:100 --iterations 200
  tilework solve mesh saddle:40 --energy flatten --out flat.obj

Meshes are OBJ, PLY or OFF files, in and out, by their endings.";

pub(super) fn command() -> Command {
    let names = Energy::ALL.iter().map(|(name, _, help)| format!("  {name:<15} {help}\n"));
    let names: String = names
        .chain([format!(
            "  {FLATTEN:<15} lay a surface with a border into the plane, by the symmetric Dirichlet energy\n"
        )])
        .collect();
    let command = Command::new("mesh")
        .about("Meshes: springs, as rigid as possible, smoothing, bending, developability, flattening")
        .arg(
            Arg::new("mesh")
                .value_name("FILE")
                .required(true)
                .help("An OBJ, PLY or OFF file, `icosphere:LEVEL` or `saddle:SIDE`"),
        )
        .arg(
            Arg::new("energy")
                .long("energy")
                .value_name("NAME[:WEIGHT],...")
                .required(true)
                .help("What to lower; several with weights are added up"),
        )
        .arg(list("fix", "VERTEX", "Hold a vertex where it is; may be given more than once"))
        .arg(list("move", "VERTEX:X,Y,Z", "Put a vertex elsewhere and hold it; may be given more than once"))
        .arg(input::out_argument("Write the mesh here: .obj, .ply or .off"))
        .after_help(format!("Energies:\n{names}\n{EXAMPLES}"));
    with_settings(command)
}

fn list(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).action(ArgAction::Append).allow_hyphen_values(true).help(help)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    // What cannot be written is better known before an hour of work than after it.
    if let Some(path) = matches.get_one::<std::path::PathBuf>("out") {
        format_of(path)?;
    }
    let solver = runner::Runner::new(&settings);
    solver.show("reading the mesh ...");
    let wanted = matches.get_one::<String>("energy").map_or("", String::as_str);
    let mesh = read(matches.get_one::<String>("mesh").map_or("", String::as_str))?;
    let solved = match wanted {
        FLATTEN => flatten(&mesh, &settings, &solver, out)?,
        _ => lower(&mesh, wanted, matches, &Context { settings: &settings, solver: &solver }, out)?,
    };
    let Some((summary, result)) = solved else { return Ok(Verdict::Fine) };
    let saved = input::save(matches, |path| Ok(format_of(path)?.write(&result)))?;
    if settings.is_json {
        let more = json!({
            "vertices": mesh.positions.len(),
            "faces": mesh.faces.len(),
            "groups": summary.telemetry.n_groups,
            "instances": summary.telemetry.n_instances,
        });
        out.json(&runner::json_with(&summary, more))?;
        return Ok(Verdict::Fine);
    }
    runner::print_titled(
        &format!("{} vertices, {} faces: {wanted}", mesh.positions.len(), mesh.faces.len()),
        &summary,
        out,
    )?;
    if let Some(path) = saved {
        out.row("saved", &path.display().to_string())?;
    }
    Ok(Verdict::Fine)
}

/// How meshes are solved unless the command line says otherwise.
fn defaults(method: Method) -> SolveOptions<'static> {
    SolveOptions { method, max_iterations: 100, ..SolveOptions::default() }
}

fn flatten(mesh: &Mesh, settings: &Settings, solver: &runner::Runner, out: &mut Out) -> Outcome<Option<Solved>> {
    let mut flat = parameterize(mesh)?;
    let summary = solver.solve(FLATTEN, &mut flat.problem, &settings.over(defaults(Method::Lbfgs)), out)?;
    Ok(summary.map(|summary| (summary, flat.result())))
}

/// What a mesh became; none if kernels were shown instead.
type Solved = (Summary, Mesh);

/// How to solve.
struct Context<'a> {
    settings: &'a Settings,
    solver: &'a runner::Runner,
}

fn lower(mesh: &Mesh, wanted: &str, matches: &ArgMatches, how: &Context<'_>, out: &mut Out) -> Outcome<Option<Solved>> {
    let mut built = MeshProblem::new(mesh)?;
    for (energy, weight) in energies(wanted)? {
        built.add(energy, weight)?;
    }
    for text in matches.get_many::<String>("fix").unwrap_or_default() {
        built.fix(vertex(text, mesh)?, None)?;
    }
    for text in matches.get_many::<String>("move").unwrap_or_default() {
        let bad = || Failure::usage(format!("`{text}` names no vertex and place"), "`--move 17:0,1.5,-2`");
        let (number, place) = text.split_once(':').ok_or_else(bad)?;
        let place = input::numbers(place).and_then(|place| place.try_into().ok()).ok_or_else(bad)?;
        built.fix(vertex(number, mesh)?, Some(place))?;
    }
    let options = how.settings.over(defaults(built.method()));
    let summary = how.solver.solve("mesh", &mut built.problem, &options, out)?;
    Ok(summary.map(|summary| (summary, built.result())))
}

fn vertex(text: &str, mesh: &Mesh) -> Outcome<usize> {
    let n = mesh.positions.len();
    let number = text.parse().ok().filter(|&number: &usize| number < n);
    number.ok_or_else(|| Failure::usage(format!("there is no vertex `{text}` among {n}"), "vertices count from 0"))
}

/// `name` or `name:weight`, separated by commas.
fn energies(text: &str) -> Outcome<Vec<(Energy, f64)>> {
    let one = |part: &str| {
        let (name, weight) = part.split_once(':').unwrap_or((part, "1"));
        let energy = Energy::ALL.iter().find(|(known, ..)| *known == name).map(|&(_, energy, _)| energy);
        let advice = "`tilework solve mesh --help` lists them: `--energy springs:1,bending:0.1`";
        match (energy, weight.parse::<f64>()) {
            (Some(energy), Ok(weight)) if weight.is_finite() && weight >= 0.0 => Ok((energy, weight)),
            (Some(_), _) => Err(Failure::usage(format!("`{weight}` is no weight of {name}"), advice)),
            (None, _) => Err(Failure::usage(format!("there is no energy `{name}`"), advice)),
        }
    };
    text.split(',').map(one).collect()
}

/// A file, or a shape that is made.
fn read(name: &str) -> Outcome<Mesh> {
    let number = |text: &str| {
        text.parse::<u32>().map_err(|_| Failure::usage(format!("`{name}` has no number"), "`icosphere:3`, `saddle:20`"))
    };
    if let Some(level) = name.strip_prefix("icosphere:") {
        return Ok(icosphere(number(level)?)?);
    }
    if let Some(side) = name.strip_prefix("saddle:") {
        return Ok(saddle(number(side)? as usize)?);
    }
    let path = Path::new(name);
    format_of(path)?.parse(&input::bytes(path)?).map_err(input::in_file(path))
}

fn format_of(path: &Path) -> Outcome<MeshFormat> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    MeshFormat::by_extension(ending).ok_or_else(|| {
        Failure::usage(format!("{} is no mesh file by its name", path.display()), "names end in .obj, .ply or .off")
    })
}
