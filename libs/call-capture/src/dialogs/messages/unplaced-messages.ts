/** Why a SIP message of a call has no effect on any call, or not all that it should. */
export type UnplacedMessage =
  /** Its end was not captured, so its session description was not read. */
  | 'cut'
  /** Nothing else of the call was captured, and it opens none. */
  | 'unknown call'
  /** It has the Call-ID of a call, and the tags of another dialog. */
  | 'unknown dialog'
  /** A second call with the Call-ID of an earlier one, which nothing tells from it. */
  | 'Call-ID used again';

/** Counts the messages of calls that fit no call, by reason. */
export class UnplacedMessages {
  private readonly byReason: Record<UnplacedMessage, number> = {
    cut: 0,
    'unknown call': 0,
    'unknown dialog': 0,
    'Call-ID used again': 0,
  };

  add(reason: UnplacedMessage): void {
    this.byReason[reason]++;
  }

  get counts(): Readonly<Record<UnplacedMessage, number>> {
    return { ...this.byReason };
  }
}
