import { useEffect, useState } from "react";

/** A text that is loaded when it is shown. */
export interface TextFile {
  readonly load: () => Promise<string>;
}

/** The text of `file`: null until it is here; `failed` if it does not come. */
export function useText(file: TextFile): { text: string | null; failed: boolean } {
  const [text, setText] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    file.load().then((loaded) => current && setText(loaded), () => current && setFailed(true));
    return () => {
      current = false;
    };
  }, [file]);
  return { text, failed };
}
