import { useState } from "react";
import { href } from "../../app/router";
import { Card } from "../../ui/layout";
import { Icon } from "../../ui/Icon";
import type { Lesson } from "./lesson";
import { GpuNotice } from "./GpuNotice";
import { useGpu } from "./useGpu";
import { Workbench } from "./Workbench";

/** Text on one side, code on the other; where there is no room, the code comes between the text and what to try with it. */
export function LessonView({ number, lesson }: { number: number; lesson: Lesson }) {
  const gpu = useGpu();
  const { Text, experiments, kernels } = lesson;
  return (
    <>
      {gpu !== "present" && <GpuNotice missing={gpu} hasCpuPath={lesson.onCpu !== undefined} />}
      <div className="lesson">
        <div className="lesson-text lesson-prose"><Text /></div>
        <Workbench number={number} lesson={lesson} canRun={gpu === "present"} />
        <div className="lesson-extra">
          <Experiments items={experiments} />
          <Card title="In the engine" className="lesson-engine">
            <p className="small">The kernels that do this job for real. They are longer, since they have to be right for every shape and fast on every GPU.</p>
            <ul>
              {kernels.map(({ file, words }) => (
                <li key={file}><a href={href("kernels", { view: "sources", file })}><code>{file.split("/").at(-1)}.wgsl</code></a> <span className="small">{words}</span></li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </>
  );
}

function Experiments({ items }: { items: Lesson["experiments"] }) {
  const [open, setOpen] = useState(true);
  return (
    <details className="experiments" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><Icon name="bolt" size={16} /> <b>Break it</b></summary>
      <ul>{items.map((item, i) => <li key={i}>{item}</li>)}</ul>
    </details>
  );
}
