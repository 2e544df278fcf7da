import { errorReason } from '@ringdown/errors';
import { connect } from 'node:net';
import { answerCode, FuzzFailure, fuzzInputText, type Answers } from './answers.js';
import { hostileBody } from './hostile-bodies.js';

export interface FuzzOptions {
  readonly port: number;
  readonly inputs: number;
  readonly seed: number;
  readonly connections?: number;
}

/** Requests that are sent without waiting for replies. */
const PIPELINED = 40;
const ANSWER_HEAD = /^HTTP\/1\.1 (\d{3}) [^]*\r\ncontent-length: (\d+)\r\n/i;
const ANSWER_MS = 120_000;

/** Posts the first `inputs` bodies of a seed. Throws {@link FuzzFailure}. */
export async function fuzz({ port, inputs, seed, connections = 8 }: FuzzOptions): Promise<Answers> {
  const counts = new Map<string, number>();
  let next = 0;
  const nextIndexes = (): number[] => {
    const first = next;
    next = Math.min(inputs, next + PIPELINED);
    return Array.from({ length: next - first }, (_, i) => first + i);
  };
  const work = async (): Promise<void> => {
    const connection = new FuzzConnection(port);
    for (let indexes = nextIndexes(); indexes.length > 0; indexes = nextIndexes()) {
      const answers = await connection.exchange(seed, indexes);
      for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
    }
    connection.end();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return counts;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

class FuzzConnection {
  private readonly socket;
  private received = '';
  private gone: Error | undefined;
  private wake = (): void => undefined;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay();
    this.socket.on('data', (text: string) => {
      this.received += text;
      this.wake();
    });
    this.socket.on('error', (error) => (this.gone = error));
    this.socket.on('close', () => {
      this.gone ??= new Error('the connection was closed');
      this.wake();
    });
  }

  end(): void {
    this.socket.destroy();
  }

  async exchange(seed: number, indexes: readonly number[]): Promise<readonly string[]> {
    this.socket.write(Buffer.concat(indexes.map((index) => request(hostileBody(seed, index)))));
    const answers: string[] = [];
    for (const index of indexes) {
      const { status, body } = await this.next().catch((error: unknown) => {
        throw new FuzzFailure(`${errorReason(error)} instead of the answer ${fuzzInputText(seed, index)}`, {
          cause: error,
        });
      });
      answers.push(answerCode(status, body, seed, index));
    }
    return answers;
  }

  private async next(): Promise<Answer> {
    for (;;) {
      const answer = this.dequeueAnswer();
      if (answer !== undefined) return answer;
      if (this.gone) throw this.gone;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`nothing for ${ANSWER_MS} ms`)), ANSWER_MS);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Replies come in the order of the requests, so the first one is always at the beginning. */
  private dequeueAnswer(): Answer | undefined {
    const headEnd = this.received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const [, status, length] = ANSWER_HEAD.exec(this.received.slice(0, headEnd + 2)) ?? [];
    if (status === undefined) throw new Error(`no answer but ${JSON.stringify(this.received.slice(0, 200))}`);
    const end = headEnd + 4 + Number(length);
    if (this.received.length < end) return undefined;
    const body = this.received.slice(headEnd + 4, end);
    this.received = this.received.slice(end);
    return { status: Number(status), body };
  }
}

function request(body: Buffer): Buffer {
  const head = `POST /fuzz HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
