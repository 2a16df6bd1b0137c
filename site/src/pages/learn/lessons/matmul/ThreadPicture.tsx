import { Box, Picture, type Tone } from "../../pictures/Picture";
import { useSteps } from "../../pictures/useSteps";

const N = 4;
const SIZE = 34;
const GROUP = 2;
const LEFT = { x: 14, y: 196 };
const TOP = { x: 190, y: 20 };
const C = { x: 190, y: 196 };

/** One thread at work: which numbers it reads, which cell it writes, and which workgroup it belongs to. */
export function ThreadPicture() {
  const { step, controls } = useSteps(N * N * N, "Animation of the threads", 700);
  // Workgroup after workgroup, as a small GPU would run them.
  const thread = Math.floor(step / N);
  const k = step % N;
  const [group, local] = [Math.floor(thread / (GROUP * GROUP)), thread % (GROUP * GROUP)];
  const [groupX, groupY] = [group % 2, Math.floor(group / 2)];
  const [localX, localY] = [local % GROUP, Math.floor(local / GROUP)];
  const [col, row] = [groupX * GROUP + localX, groupY * GROUP + localY];
  const toneC = (r: number, c: number): Tone => (r === row && c === col ? "accent" : Math.floor(r / GROUP) === groupY && Math.floor(c / GROUP) === groupX ? "soft" : "plain");
  return (
    <Picture
      width={400}
      height={350}
      label={`Thread x ${col}, y ${row} of workgroup ${groupX}, ${groupY} multiplies row ${row} of a with column ${col} of b and writes cell ${row}, ${col} of c`}
      controls={controls}
      caption={<>Thread <code>({col}, {row})</code> = workgroup <code>({groupX}, {groupY})</code> · 2 + place <code>({localX}, {localY})</code>. It adds <code>a[{row}, {k}] · b[{k}, {col}]</code>. All threads of a workgroup do this at the same time.</>}
    >
      <Grid at={LEFT} name="a" tone={(r, c) => (r === row ? (c === k ? "accent" : "soft") : "plain")} />
      <Grid at={TOP} name="b" tone={(r, c) => (c === col ? (r === k ? "accent" : "soft") : "plain")} />
      <Grid at={C} name="c" tone={toneC} />
      {[0, 1].flatMap((y) => [0, 1].map((x) => <rect key={`${x}${y}`} className="pic-group" x={C.x - 3 + x * GROUP * SIZE} y={C.y - 3 + y * GROUP * SIZE} width={GROUP * SIZE + 3} height={GROUP * SIZE + 3} rx="6" />))}
    </Picture>
  );
}

function Grid({ at, name, tone }: { at: { x: number; y: number }; name: string; tone: (row: number, col: number) => Tone }) {
  return (
    <>
      <text className="pic-name" x={at.x + (N * SIZE) / 2} y={at.y - 10}>{name}</text>
      {Array.from({ length: N * N }, (_, i) => {
        const [r, c] = [Math.floor(i / N), i % N];
        return <Box key={i} x={at.x + c * SIZE} y={at.y + r * SIZE} width={SIZE - 3} height={SIZE - 3} tone={tone(r, c)} />;
      })}
    </>
  );
}
