import { writeFileSync } from 'node:fs';

const RATE = 8_000;
const HEADER = 44;

/** A WAV file with a tone of 440 Hz: 16 bits, mono. */
export function writeTone(file: string, seconds: number): void {
  const samples = Buffer.alloc(2 * RATE * seconds);
  for (let n = 0; n < RATE * seconds; n++) {
    samples.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * n) / RATE)), 2 * n);
  }
  const header = Buffer.alloc(HEADER);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER - 8 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(2 * RATE, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  writeFileSync(file, Buffer.concat([header, samples]));
}
