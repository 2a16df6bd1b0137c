import { Fragment } from "react";

/** A long name, broken after its dots rather than inside a word. */
export function TensorName({ name }: { name: string }) {
  return name.split(".").map((part, index) => <Fragment key={index}>{index > 0 && <>.<wbr /></>}{part}</Fragment>);
}
