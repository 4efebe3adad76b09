// Renders documents in a child process, which is replaced before it uses much memory: the typesetter never releases any.
import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { allowedMemory } from '#warehouse/allowed-memory.ts';
import { currentSignal, reasonOf, until } from '#warehouse/cancellation.ts';
import type { RenderJob } from './job.ts';
import type { RenderedJob, Ordered } from './worker.ts';

/** There are too many documents to make already. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
  constructor() {
    super('too many documents are being made at the moment: ask again in a while');
  }
}

/** A process is replaced after this many documents, above this many bytes (less in a small container), or when idle for this long. */
const most_documents = 50;
const most_memory = Math.min(450e6, allowedMemory() / 3);
const idle_ms = 20_000;
/** A document that takes longer is aborted. */
const longest_ms = 120_000;
const most_waiting = 24;

interface WaitingJob {
  job: RenderJob;
  resolve: (bytes: Uint8Array) => void;
  reject: (error: Error) => void;
}

const program = fileURLToPath(new URL('./worker.ts', import.meta.url));

class Renderer {
  readonly #waiting = new Set<WaitingJob>();
  #child: ChildProcess | undefined;
  /** Until the one before has given its memory back. */
  #ended: Promise<unknown> = Promise.resolve();
  #documents = 0;
  #isWorking = false;
  #idle: NodeJS.Timeout | undefined;
  /** Told what documents go without. */
  warn: (sentence: string) => void = () => undefined;

  /** Errors: RendererBusy; Cancelled, if the caller has disconnected before it was started. */
  make(job: RenderJob): Promise<Uint8Array> {
    const signal = currentSignal();
    if (signal?.aborted) return Promise.reject(reasonOf(signal));
    if (this.#waiting.size >= most_waiting) return Promise.reject(new RendererBusy());
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const waiting: WaitingJob = { job, resolve, reject };
    this.#waiting.add(waiting);
    void this.#work();
    return until(promise, signal, () => void this.#waiting.delete(waiting));
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    clearTimeout(this.#idle);
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      await this.#give(waiting.job).then(waiting.resolve, waiting.reject);
    }
    this.#isWorking = false;
    this.#idle = setTimeout(() => this.end(), idle_ms).unref();
  }

  /** An error fails only this document; the next one is rendered. */
  async #give(job: RenderJob): Promise<Uint8Array> {
    await this.#ended;
    const child = (this.#child ??= this.#begin());
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const id = ++this.#documents;
    const hear = ({ id: of, bytes, error, warnings, memory }: RenderedJob): void => {
      if (of !== id) return;
      warnings.forEach((sentence) => this.warn(sentence));
      if (bytes) resolve(bytes);
      else reject(new Error(error));
      if (this.#documents >= most_documents || memory > most_memory) this.end();
    };
    const gone = (code: number | null, signal: string | null): void =>
      reject(new Error(`the process that makes documents ended unexpectedly (${signal ?? code})`));
    const late = setTimeout(() => {
      reject(new Error(`the document was not made within ${longest_ms / 1000} seconds`));
      this.end();
    }, longest_ms);
    child.on('message', hear).once('exit', gone);
    child.ref();
    child.channel?.ref();
    const ordered: Ordered = { id, job };
    child.send(ordered, (error) => error && reject(error));
    return promise.finally(() => {
      clearTimeout(late);
      child.off('message', hear).off('exit', gone);
      // TRICKY: one that is being ended has to be waited for: the next document begins when it is gone, and nothing else may keep a program.
      if (child !== this.#child) return;
      // Nobody has to wait for a process that has nothing to do.
      child.unref();
      child.channel?.unref();
    });
  }

  #begin(): ChildProcess {
    this.#documents = 0;
    const child = fork(program, [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      // Names of the source become keys of the chart library; none of them may reach a prototype.
      execArgv: ['--disable-proto=delete', '--max-old-space-size=768'],
    });
    child.once('exit', () => this.#child === child && (this.#child = undefined));
    // An error of starting is followed by no exit.
    child.once('error', () => this.#child === child && (this.#child = undefined));
    try {
      // With few processors, questions take precedence.
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // A system may not allow it; then documents take their share.
    }
    return child;
  }

  /** Lets the process go; the next document gets a new one. */
  end(): void {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    if (child.pid === undefined) return;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    // Whoever waits for it must not be left by the loop.
    child.ref();
    child.kill('SIGKILL');
  }
}

const renderer = new Renderer();

/** Bytes of a document. Errors: RendererBusy, Cancelled; Error with the message of the process. */
export const rendered = (job: RenderJob): Promise<Uint8Array> => renderer.make(job);

/** Ends the process, when the program ends. */
export const endRenderer = (): void => renderer.end();

/** Calls with what documents go without, in sentences. */
export const onWarning = (warn: (sentence: string) => void): void => void (renderer.warn = warn);
