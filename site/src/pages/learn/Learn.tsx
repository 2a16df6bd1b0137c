import { href, useRoute } from "../../app/router";
import { Icon } from "../../ui/Icon";
import { Badge, PageHead, Progress } from "../../ui/layout";
import { LessonView } from "./LessonView";
import { LESSONS, type LessonEntry } from "./lessons";
import { useDone } from "./progress";
import "./learn.css";

export default function Learn() {
  const { part } = useRoute();
  const entry = LESSONS[Number(part) - 1];
  return entry === undefined ? <Overview /> : <OneLesson key={part} number={Number(part)} entry={entry} />;
}

function Overview() {
  const done = useDone();
  const next = LESSONS.findIndex((_, i) => !done.includes(i + 1)) + 1;
  return (
    <div className="page">
      <PageHead
        title="Learn GPU computing"
        lead="Eight lessons in raw WebGPU, without the engine, so that nothing is hidden. You edit real kernels and the code that starts them; both run on your own GPU. At the end a network reads the digit you draw."
      >
        <a className="button button-primary" href={href(`learn/${next || 1}`)}>{done.length === 0 ? "Start" : next === 0 ? "Begin again" : "Continue"}</a>
      </PageHead>
      <div className="lesson-progress">
        <Progress value={done.length / LESSONS.length} label="Lessons done" />
        <p className="small">{done.length} of {LESSONS.length} done. A lesson is done when your code passes its check.</p>
      </div>
      <ol className="lesson-list">
        {LESSONS.map(({ title, summary }, i) => (
          <li key={title}>
            <a className="tile lesson-tile" href={href(`learn/${i + 1}`)}>
              <span className="lesson-number" data-done={done.includes(i + 1)}>{done.includes(i + 1) ? <Icon name="check" size={16} /> : i + 1}</span>
              <b>{title}{done.includes(i + 1) && <span className="visually-hidden">, done</span>}</b>
              <span>{summary}</span>
            </a>
          </li>
        ))}
      </ol>
      <p className="small">
        Your code runs in a frame of its own that can reach neither this page nor the network. Your edits and marks stay in this browser.
      </p>
    </div>
  );
}

function OneLesson({ number, entry }: { number: number; entry: LessonEntry }) {
  return (
    <div className="page">
      <LessonHead number={number} entry={entry} />
      <LessonView number={number} lesson={entry.lesson} />
      <nav className="lesson-turn" aria-label="Previous and next lesson">
        {number > 1 ? <a className="button" href={href(`learn/${number - 1}`)}><span className="turn-back"><Icon name="arrow" size={16} /></span> {LESSONS[number - 2]?.title}</a> : <span />}
        {number < LESSONS.length ? <a className="button" href={href(`learn/${number + 1}`)}>{LESSONS[number]?.title} <Icon name="arrow" size={16} /></a> : <a className="button" href={href("learn")}>All lessons</a>}
      </nav>
    </div>
  );
}

function LessonHead({ number, entry }: { number: number; entry: LessonEntry }) {
  const done = useDone();
  return (
    <>
      <nav aria-label="Lessons" className="lesson-steps">
        <a href={href("learn")}>Learn</a>
        <ol>
          {LESSONS.map(({ title }, i) => (
            <li key={title}>
              <a href={href(`learn/${i + 1}`)} title={title} aria-label={`Lesson ${i + 1}: ${title}${done.includes(i + 1) ? ", done" : ""}`} aria-current={i + 1 === number ? "step" : undefined} data-done={done.includes(i + 1)}>
                {done.includes(i + 1) && i + 1 !== number ? <Icon name="check" size={14} /> : i + 1}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <PageHead title={`${number}. ${entry.title}`} lead={entry.summary}>{done.includes(number) ? <Badge tone="good" icon="check">done</Badge> : undefined}</PageHead>
    </>
  );
}
