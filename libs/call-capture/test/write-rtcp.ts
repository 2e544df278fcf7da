import { u16, u32, writeHep } from '@ringdown/capture/test/write-hep.js';

/** The RTCP report that a media relay captures of a call: the receiver at this address lost every fourth packet. `at`: milliseconds. */
export function lossReport(
  callId: string,
  { ip = '', port = 0 }: { readonly ip?: string; readonly port?: number },
  at?: number,
): Buffer {
  const block = {
    source_ssrc: 1,
    fraction_lost: 64,
    ia_jitter: 160,
    packets_lost: 9,
    highest_seq_no: 1,
    lsr: 0,
    dlsr: 0,
  };
  // Without its own SSRC, so that both sides of a call can send it.
  const payload = JSON.stringify({ type: 201, report_count: 1, report_blocks: [block] });
  return writeHep({
    type: 5,
    source: { ip, port: port + 1 },
    correlationId: callId,
    payload,
    ...(at === undefined ? {} : { at }),
  });
}

export interface ReportParts {
  /** Of the reporter. */
  readonly ssrc: number;
  /** The stream that it received. */
  readonly about: number;
  /** In 256ths. */
  readonly fractionLost: number;
  /** The highest sequence number received. */
  readonly highest?: number;
  /** Middle of the NTP time of a sender report; left out: a receiver report. */
  readonly stamp?: number;
  /** The last sender report that it received, and how long before, in 65,536ths of a second. */
  readonly lastStamp?: number;
  readonly delay?: number;
}

/** A sender or receiver report with one block (RFC 3550, 6.4). */
export function rtcpReport({
  ssrc,
  about,
  fractionLost,
  stamp,
  lastStamp = 0,
  delay = 0,
  highest = 25_600,
}: ReportParts): Buffer {
  // As if the loss had been the same from the beginning.
  const lost = u32(Math.round((fractionLost * highest) / 256)).subarray(1);
  const block = [u32(about), Buffer.from([fractionLost]), lost, u32(highest), u32(160), u32(lastStamp), u32(delay)];
  const time = stamp === undefined ? [] : [u16(0), u32(stamp), u16(0), u32(0), u32(1_000), u32(160_000)];
  const body = Buffer.concat([u32(ssrc), ...time, ...block]);
  return Buffer.concat([Buffer.from([0x81, stamp === undefined ? 201 : 200]), u16(body.length / 4), body]);
}
