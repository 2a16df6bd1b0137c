import { Cells, Picture } from "../../pictures/Picture";
import { ThreadPicture } from "./ThreadPicture";

export function Text() {
  return (
    <>
      <p>Every cell of a matrix product is a row of <i>a</i> times a column of <i>b</i>: multiply pairs, add them up. No cell needs another one, so each gets a thread of its own.</p>
      <ThreadPicture />
      <p>Threads start in <b>workgroups</b>. Here a workgroup is 4 × 4 threads, in the drawing 2 × 2. Three numbers tell a thread where it is:</p>
      <ul>
        <li><code>workgroup_id</code>: which workgroup,</li>
        <li><code>local_invocation_id</code>: which place in it,</li>
        <li><code>global_invocation_id</code>: both together, workgroup · size + place. This is the cell.</li>
      </ul>
      <p>Memory has no rows. A matrix lies there as one long line, row after row, so cell (row, col) is number <code>row * n_cols + col</code>. The factor is always the <b>length of a row</b> of that very matrix.</p>
      <MemoryPicture />
      <p>By custom <code>x</code> counts columns and <code>y</code> rows: neighboring threads then read neighboring memory, which a GPU fetches together.</p>
      <p>Workgroups only come whole. For 5 columns two workgroups of 4 start, and three columns of threads have nothing to do. If they write anyway, they write into the next row.</p>
    </>
  );
}

function MemoryPicture() {
  const names = ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"];
  return (
    <Picture width={400} height={110} label="A matrix of two rows and three columns lies in memory as six numbers in a line; cell row 1, column 2 is number 1 times 3 plus 2, which is 5" caption="Cell (1, 2) of a 2 × 3 matrix: 1 · 3 + 2 = 5.">
      <Cells x={14} y={14} size={42} values={names.slice(0, 3)} />
      <Cells x={14} y={56} size={42} values={names.slice(3)} tones={["soft", "soft", "accent"]} />
      <Cells x={168} y={34} size={38} values={names} tones={[undefined, undefined, undefined, "soft", "soft", "accent"]} />
      {names.map((_, i) => <text key={i} className="pic-note" x={168 + i * 38 + 17} y={86}>{i}</text>)}
    </Picture>
  );
}
