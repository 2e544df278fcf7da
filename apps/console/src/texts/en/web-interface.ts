export const en = {
  signedOut: 'You are no longer signed in.',
  unreachable: 'The server cannot be reached.',
  connectionBroke: 'The connection broke.',
  respondedWith: (status: string) => `The server responded with ${status}.`,
  otherTab: 'This sign-in did not begin in this tab. Try again.',
  wrongPassword: 'The username or the password is wrong.',
  cancelled: 'The sign-in was cancelled.',
  providerAnswered: (error: string) => `The sign-in provider answered: ${error}`,
  signInElsewhere: (address: string) => `The people of this domain sign in at ${address}.`,
};
