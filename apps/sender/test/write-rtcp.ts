import { writeHep } from '@ringdown/capture/test/write-hep.js';

/** The RTCP report that a media relay captures of a call: the receiver at this address lost every fourth packet. */
export function lossReport(
  callId: string,
  { ip = '', port = 0 }: { readonly ip?: string; readonly port?: number },
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
  const payload = JSON.stringify({ ssrc: 2, type: 201, report_count: 1, report_blocks: [block] });
  return writeHep({ type: 5, source: { ip, port: port + 1 }, correlationId: callId, payload });
}
