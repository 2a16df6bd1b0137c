import { useEffect, useRef } from "react";
import type { PixelSheet } from "tilework/models";

/** Parts of a tensor side by side, each as large as there is room. */
export function Sheet({ sheet, name }: { sheet: PixelSheet; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current?.getContext("2d")?.putImageData(new ImageData(sheet.pixels, sheet.width, sheet.height), 0, 0);
  }, [sheet]);
  return (
    <div className="sheet" role="region" aria-label={`Parts of ${name}`} tabIndex={0}>
      <canvas ref={canvas} width={sheet.width} height={sheet.height} role="img" aria-label={`${sheet.parts} parts of ${name} side by side, ${sheet.partWidth} by ${sheet.partHeight} pixels each`} />
    </div>
  );
}
