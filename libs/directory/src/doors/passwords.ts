export { generatePassword, hashPassword, PasswordChecks, type PasswordCheckOptions } from '../passwords/passwords.js';
export {
  describePasswordRules,
  MAX_PASSWORD_LENGTH,
  passwordProblem,
  readPasswordRules,
  type PasswordRule,
  type PasswordRuleCode,
  type PasswordRules,
} from '../passwords/password-rules.js';
export { CurrentRules } from '../passwords/current-rules.js';
export { passwordSettings } from '../passwords/password-settings.js';
export { passwordMark, withNewPassword, withSessionsEnded } from '../passwords/secret.js';
