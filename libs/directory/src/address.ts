const ADDRESS = /^[^\s@\\/"<>:;,?#%&\p{C}]{1,128}@[a-z0-9-]+(\.[a-z0-9-]+)*$/iu;

/** Whether a text is `user@domain` as usernames, mail and SIP addresses are. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}
