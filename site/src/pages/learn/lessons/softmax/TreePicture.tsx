import { Arrow, Box, Picture } from "../../pictures/Picture";
import { useSteps } from "../../pictures/useSteps";

const START = [3, 1, 4, 1, 5, 9, 2, 6];
const SIZE = 46;
const ROW = 62;

/** What is in workgroup memory after each step; the width halves. */
function levels(): number[][] {
  const all = [START];
  for (let width = START.length / 2; width >= 1; width /= 2) {
    const last = all.at(-1) ?? [];
    all.push(last.map((value, i) => (i < width ? value + (last[i + width] ?? 0) : value)));
  }
  return all;
}

const LEVELS = levels();

/** The sum of eight numbers in three steps. */
export function TreePicture() {
  const { step, controls } = useSteps(LEVELS.length, "Animation of the tree", 1600);
  const width = START.length >> step;
  const caption = step === 0 ? "Eight threads, one number each." : step === LEVELS.length - 1 ? "Thread 0 has added the last two: 31 is the sum, and all threads may read it." : `Step ${step}: threads 0 to ${width - 1} each add the number ${width} places to the right.`;
  return (
    <Picture width={400} height={LEVELS.length * ROW + 6} label={`A tree adds 3, 1, 4, 1, 5, 9, 2 and 6 in three steps: ${caption}`} controls={controls} caption={caption}>
      {LEVELS.map((values, level) => (
        <g key={level} className={level > step ? "pic-later" : undefined}>
          {values.map((value, i) => {
            const alive = i < START.length >> level;
            return <Box key={i} x={16 + i * SIZE} y={8 + level * ROW} width={SIZE - 6} height={32} tone={level === step && alive ? "accent" : alive ? "soft" : "plain"} label={alive || level === 0 ? value : "·"} mono />;
          })}
          {level > 0 && values.slice(0, START.length >> level).flatMap((_, i) => {
            const to = [16 + i * SIZE + (SIZE - 6) / 2, 8 + level * ROW - 1] as const;
            const partner = i + (START.length >> level);
            return [i, partner].map((from) => <Arrow key={`${i} ${from}`} from={[16 + from * SIZE + (SIZE - 6) / 2, 8 + (level - 1) * ROW + 33]} to={to} />);
          })}
        </g>
      ))}
    </Picture>
  );
}
