import type { Side } from './records.js';

/** Two people who are in no other call. */
export function callSides(callId: string): { readonly caller: Side; readonly callee: Side } {
  const side = (name: string, port: number): Side => ({
    id: `${name}-${callId}`,
    epId: `ep-${name}-${callId}`,
    uri: `sip:${name}-${callId}@example.test`,
    ip: '192.0.2.10',
    port,
  });
  return { caller: side('anna', 20_000), callee: side('ben', 20_002) };
}
