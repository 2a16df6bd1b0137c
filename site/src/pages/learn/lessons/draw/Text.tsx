import { useMemo } from "react";
import { inkBox, prepare, SIDE } from "../../digits/prepare";
import { DIGIT_STROKES, drawStrokes } from "../../digits/strokes";
import { PixelImage } from "../../output/PixelImage";

export function Text() {
  return (
    <>
      <p>Draw a digit, and the network of lesson 7 reads it. It has never seen your pen, your canvas, or a digit in a corner. It knows one kind of picture: that of MNIST. So the drawing has to become such a picture first.</p>
      <Stages />
      <ol>
        <li>Find the <b>box</b> around the ink. Where on the pad you drew is forgotten.</li>
        <li>Scale the box so that its longer side is <b>20 pixels</b>. The shape stays: a 1 remains thin. Each small pixel is the mean of the pixels it covers, so that edges become gray, as they are in MNIST.</li>
        <li>Put it into <b>28 × 28</b> so that the middle of its <b>mass</b> is the middle of the image. Not the middle of the box: a 7 has most of its ink on top, and MNIST places it lower for that.</li>
      </ol>
      <p>Such steps are called preprocessing, and they are part of the model. A network with the right weights and the wrong preparation fails without a word.</p>
      <p>All of this is plain JavaScript in host.js. It is a few thousand operations; sending them to the GPU would take longer than doing them.</p>
      <p className="small">This network is small, and trained on American handwriting of the 1990s. A 7 with a bar, a 1 with a foot or an open 4 may be read wrong. The bars say how sure it was.</p>
    </>
  );
}

const SIZE = 56;

/** The real steps, computed for a drawn 7. */
function Stages() {
  const stages = useMemo(() => {
    const ink = drawStrokes((DIGIT_STROKES[7] ?? []).map((stroke) => stroke.map(([x, y]) => [x * 0.7 + 0.28, y * 0.7 + 0.02] as const)), SIZE);
    const box = inkBox(ink, SIZE) ?? { left: 0, top: 0, width: SIZE, height: SIZE };
    const side = Math.max(box.width, box.height);
    const cut = Array.from({ length: side * side }, (_, i) => {
      const [x, y] = [i % side, Math.floor(i / side)];
      return x < box.width && y < box.height ? (ink[(box.top + y) * SIZE + box.left + x] ?? 0) : 0;
    });
    return [
      { name: "The drawing", pixels: [...ink], side: SIZE },
      { name: "Its box", pixels: cut, side },
      { name: "20 in 28, by mass", pixels: [...prepare(ink, SIZE)], side: SIDE },
    ];
  }, []);
  return (
    <figure className="picture">
      <div className="stages">
        {stages.map(({ name, pixels, side }) => (
          <div key={name}><PixelImage pixels={pixels} width={side} height={side} label={name} /><span>{name}</span></div>
        ))}
      </div>
      <figcaption>A 7 on its way to the network.</figcaption>
    </figure>
  );
}
