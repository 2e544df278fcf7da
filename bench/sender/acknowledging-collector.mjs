// A collector that only acknowledges, and checks afterwards that it got each record once and in order.
import { createServer } from 'node:http';

const BATCHES = '<Configuration Version="1.0" AcceptedBatch="64 400000"/>';
const NO_BATCHES = '<Configuration Version="1.0"/>';
const LINE_FEED = 0x0a;

export class AcknowledgingCollector {
  #server = createServer((request, reply) => this.#answer(request, reply));
  #bodies = [];
  #count = 0;

  constructor(acceptsBatches) {
    this.configuration = acceptsBatches ? BATCHES : NO_BATCHES;
    this.#server.on('checkContinue', (request, reply) => {
      reply.writeContinue();
      this.#answer(request, reply);
    });
  }

  get port() {
    return this.#server.address().port;
  }

  listen() {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Throws if a record is missing, comes twice, or overtook another one. Read after the measurement, which it would disturb. */
  checkRecords(wanted) {
    const text = this.#bodies.map((chunks) => Buffer.concat(chunks).toString('latin1')).join('\n');
    const sequence = [...text.matchAll(/<CSEQ>(\d+)</g)].map((match) => Number(match[1]));
    const first = sequence[0] ?? 0;
    const at = sequence.findIndex((cseq, n) => cseq !== first + n);
    if (at >= 0) throw new Error(`CSEQ ${sequence[at]} followed ${sequence[at - 1]}`);
    if (sequence.length !== wanted) throw new Error(`${sequence.length} records instead of ${wanted}`);
  }

  #answer(request, reply) {
    const chunks = [];
    let stored = 1;
    request.on('data', (bytes) => {
      chunks.push(bytes);
      for (const byte of bytes) if (byte === LINE_FEED) stored++;
    });
    request.on('end', () => {
      if (request.url.endsWith('/GetConfiguration')) {
        reply.end(this.configuration);
        return;
      }
      this.#bodies.push(chunks);
      this.#count += stored;
      reply.end(`<Response><Count>${this.#count}</Count><Stored>${stored}</Stored></Response>`);
    });
  }
}
