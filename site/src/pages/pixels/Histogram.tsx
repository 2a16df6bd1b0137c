import type { PixelHistogram } from "tilework/models";
import { formatCount, formatNumber } from "../../lib/format";
import { Fact, Facts } from "../../ui/layout";

const WIDTH = 320;
const HEIGHT = 96;

/** How values are spread, as bars. Heights are square roots, so that rare values show beside frequent ones. */
export function Histogram({ histogram, of }: { histogram: PixelHistogram; of: string }) {
  const { counts, low, high } = histogram;
  const most = Math.sqrt(Math.max(...counts, 1));
  const width = WIDTH / Math.max(counts.length, 1);
  const zero = low < 0 && high > 0 ? (-low / (high - low)) * WIDTH : null;
  return (
    <figure className="histogram">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`Histogram of ${of}: from ${formatNumber(low)} to ${formatNumber(high)}, mean ${formatNumber(histogram.mean)}, standard deviation ${formatNumber(histogram.deviation)}`}>
        {counts.map((count, bin) => {
          const height = (Math.sqrt(count) / most) * HEIGHT;
          const isNegative = low + ((bin + 0.5) / counts.length) * (high - low) < 0;
          return <rect key={bin} className={isNegative ? "below" : "above"} x={bin * width} y={HEIGHT - height} width={Math.max(width - 0.6, 0.4)} height={height} />;
        })}
        {zero !== null && <line x1={zero} x2={zero} y1={0} y2={HEIGHT} />}
      </svg>
      <figcaption className="numeric"><span>{minus(formatNumber(low))}</span><span>heights are square roots</span><span>{minus(formatNumber(high))}</span></figcaption>
    </figure>
  );
}

export function HistogramFacts({ histogram }: { histogram: PixelHistogram }) {
  return (
    <Facts>
      <Fact name="Mean">{minus(formatNumber(histogram.mean))}</Fact>
      <Fact name="Standard deviation">{formatNumber(histogram.deviation)}</Fact>
      <Fact name="Exactly zero">{formatCount(histogram.zeros)}</Fact>
      {histogram.notFinite > 0 && <Fact name="Not finite">{formatCount(histogram.notFinite)}</Fact>}
    </Facts>
  );
}

function minus(text: string): string {
  return text.replace(/^-/, "−");
}
