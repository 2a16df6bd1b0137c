import { href, useRoute } from "../../app/router";
import { BrowserTable } from "../../app/WebGpuHelp";
import { Card, PageHead } from "../../ui/layout";
import { DocumentReader } from "./DocumentReader";
import { DOCUMENTS, type DocumentFile } from "./documents";
import "./about.css";

export default function About() {
  const { query } = useRoute();
  const document = DOCUMENTS.find((file) => file.id === query.get("doc"));
  return document === undefined ? <Overview /> : <DocumentPage document={document} />;
}

function DocumentPage({ document }: { document: DocumentFile }) {
  return (
    <div className="page">
      <nav aria-label="Documents" className="document-nav">
        <a href={href("about")}>About</a>
        {DOCUMENTS.map((file) => <a key={file.id} href={href("about", { doc: file.id })} aria-current={file === document ? "page" : undefined}>{file.id}</a>)}
      </nav>
      <Card className="document-card"><DocumentReader key={document.id} file={document} /></Card>
    </div>
  );
}

function Overview() {
  return (
    <div className="page">
      <PageHead title="About" lead="One Rust engine for NumPy-style arrays: on the GPU through WebGPU, on the CPU natively and by WebAssembly SIMD." />
      <div className="about-grid">
        <HowItWorks />
        <Privacy />
      </div>
      <Card title="Browsers" note="WebGPU by browser; without it everything runs on the CPU by WebAssembly SIMD"><BrowserTable /></Card>
      <Card title="Documents" note="From the repository, part of this build">
        <ul className="documents">
          {DOCUMENTS.map((file) => <li key={file.id}><a href={href("about", { doc: file.id })}>{file.path}</a><span className="small">{file.summary}</span></li>)}
        </ul>
      </Card>
    </div>
  );
}

function HowItWorks() {
  return (
    <Card title="How it works">
      <div className="prose">
        <ul>
          <li><strong>Arrays are lazy.</strong> An operation adds a node to a graph; reading a value computes what it needs.</li>
          <li><strong>Expressions fuse.</strong> A chain of scalar operations becomes one generated WGSL kernel, also in front of a reduction and behind a matrix product. <a href={href("kernels")}>Try it</a>.</li>
          <li><strong>Structured operations are written by hand,</strong> one folder each: contract, reference, CPU kernel, WGSL, cases.</li>
          <li><strong>Derivatives are exact:</strong> reverse mode over the same graph, of any order.</li>
          <li><strong>Functions are our own polynomials,</strong> not the GPU’s built-ins, so that results agree between devices. <a href={href("about", { doc: "numerics" })}>Measured</a>.</li>
          <li><strong>The engine lives in a worker.</strong> The page checks shapes at once and never waits for the GPU.</li>
          <li><strong>Auto measures</strong> when the GPU pays off, and never mistakes a software adapter for one.</li>
        </ul>
      </div>
    </Card>
  );
}

function Privacy() {
  return (
    <Card title="Privacy">
      <div className="prose">
        <p>This is a set of static files from one host. Nothing is sent anywhere: no analytics, no fonts, no error reports, no third parties. A content security policy makes the browser refuse the page’s own requests to any other host; its workers, which fetch the engine, are held to that only where the host sends the policy as a header too. One thing is fetched from elsewhere, and only if you say so: a language model whose address you type on the chat page.</p>
        <p>Kept in this browser only: the theme, the device choice, what you switched off, your code in the lessons, your benchmark results, your conversations, and models you downloaded. Clear them on their pages or with the browser’s site data.</p>
        <p>The diagnostic report is text that you copy yourself. It holds the device’s name and limits, the self-check, the browser’s name and the page’s errors.</p>
        <p>License: MIT or Apache-2.0, at your option.</p>
      </div>
    </Card>
  );
}
