export const en = {
  expired: 'Your session has expired. Sign in again to continue.',
  username: 'Username',
  password: 'Password',
  signIn: 'Sign in',
  signingIn: 'Signing in …',
  singleSignOn: 'Sign in with single sign-on',
  providerAway: 'Single sign-on is not responding. Sign in with your password instead.',
  unexpected: 'The server returned an unexpected response. Try again, or contact your administrator.',
};
