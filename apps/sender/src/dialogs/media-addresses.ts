import type { TransportAddress } from '@ringdown/capture';
import type { AgreedMedium } from '../media/agreed-media.js';

/** The call that uses a media address: RTCP reports may not identify their call in any other way. */
export class MediaAddresses {
  private readonly calls = new Map<string, string>();
  private readonly ofCall = new Map<string, readonly string[]>();

  /** An address belongs to the call that used it last. */
  set(callId: string, media: readonly AgreedMedium[]): void {
    this.remove(callId);
    const keys = media.flatMap(({ caller, callee }) =>
      [caller, callee].flatMap(({ ip, port, rtcpPort }) =>
        ip === undefined
          ? []
          : [port, rtcpPort].flatMap((each) => (each === undefined ? [] : keyOf({ ip, port: each }))),
      ),
    );
    for (const key of keys) this.calls.set(key, callId);
    if (keys.length > 0) this.ofCall.set(callId, keys);
  }

  remove(callId: string): void {
    for (const key of this.ofCall.get(callId) ?? []) {
      if (this.calls.get(key) === callId) this.calls.delete(key);
    }
    this.ofCall.delete(callId);
  }

  callAt(address: TransportAddress): string | undefined {
    return this.calls.get(keyOf(address));
  }
}

function keyOf({ ip, port }: TransportAddress): string {
  return `${ip} ${port}`;
}
