/** What is true of one thing that was looked at. Whatever is not well says what to do about it. */
export type Finding =
  | { readonly state: 'ok'; readonly text: string }
  | { readonly state: 'unknown' | 'warning' | 'problem'; readonly text: string; readonly remedy: string };

export type FindingState = Finding['state'];

export function ok(text: string): Finding {
  return { state: 'ok', text };
}

export function unknown(text: string, remedy: string): Finding {
  return { state: 'unknown', text, remedy };
}

export function warning(text: string, remedy: string): Finding {
  return { state: 'warning', text, remedy };
}

export function problem(text: string, remedy: string): Finding {
  return { state: 'problem', text, remedy };
}
