//! `tilework solve g2o`: pose graphs.

use std::path::PathBuf;

use clap::{ArgMatches, Command};
use tilework_solve::SolveOptions;
use tilework_solve::formats::g2o::PoseGraph;
use tilework_solve::problems::pose_graph::pose_graph;

use super::settings::{Settings, with_settings};
use super::{input, runner};
use crate::failure::{Outcome, Verdict};
use crate::terminal::Out;

const EXAMPLES: &str = "\
Examples:
  tilework solve g2o sphere2500.g2o
  tilework solve g2o input_M3500_g2o.g2o --out solved.g2o
  tilework solve g2o city.g2o --loss cauchy:1 --json

Reads VERTEX_SE2, EDGE_SE2, VERTEX_SE3:QUAT, EDGE_SE3:QUAT and FIX; where nothing is fixed, the first pose is. JSON has
initial_cost, final_cost, iterations, seconds and reason; the cost is half of the sum of squares, half of chi².";

pub(super) fn command() -> Command {
    let command = Command::new("g2o")
        .about("Pose graphs: places of a robot, from what it measured between them")
        .arg(input::file_argument("A pose graph in g2o's text format").required(true))
        .arg(input::out_argument("Write the solved graph here, in the same format"))
        .after_help(EXAMPLES);
    with_settings(command)
}

pub(super) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let settings = Settings::read(matches)?;
    let path = matches.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let solver = runner::Runner::new(&settings);
    solver.show("reading the graph ...");
    let given = PoseGraph::parse(&input::text(&path)?).map_err(input::in_file(&path))?;
    let mut built = pose_graph(&given, settings.loss)?;
    let solved = solver.solve("poses", &mut built.problem, &settings.over(SolveOptions::default()), out)?;
    let Some(summary) = solved else { return Ok(Verdict::Fine) };
    let saved = input::save(matches, |_| Ok(built.result(&given).to_text().into_bytes()))?;
    if settings.is_json {
        out.json(&runner::json(&summary))?;
        return Ok(Verdict::Fine);
    }
    let (plane, space) = (&given.plane, &given.space);
    let title =
        format!("{} poses, {} relations", plane.poses.len() + space.poses.len(), plane.edges.len() + space.edges.len());
    runner::print_titled(&title, &summary, out)?;
    if let Some(path) = saved {
        out.row("saved", &path.display().to_string())?;
    }
    Ok(Verdict::Fine)
}
