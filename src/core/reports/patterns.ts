// What is recognised as personal or secret, as data: one line per kind, in the order in which they are tried.
// Wrong alarms are cheaper than leaks, so the patterns are wide; names of people are not recognised (redact.ts says so).

/** One kind of thing to replace. */
export type Pattern = {
  readonly kind: string
  readonly regex: RegExp
  /** The capture group to replace (0: the whole match). */
  readonly group: number
  /** A second look at what matched; false leaves it. */
  readonly holds?: (found: string) => boolean
  /** Also where tool names, task names and labels stand; the others only in content, where codes are data. */
  readonly everywhere: boolean
}

/** Luhn's check of a number's digits. */
export function isLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length > 0 && sum % 10 === 0
}

/** Looks random: upper case, lower case and digits mixed, and no word of eight letters or more in one case. */
function isRandom(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text) && !/[a-z]{9}|[A-Z]{12}/.test(text)
}

function isAddress(text: string): boolean {
  return text.split('.').every((part) => Number(part) < 256)
}

const AT = String.raw`(?:@|%40|\\u0040|\s?[[(]at[\])]\s?)`
const DOT = String.raw`(?:\.|\s?[[(]dot[\])]\s?)`

/** Every kind, most specific first: what one has replaced, no later one sees. */
export const PATTERNS: readonly Pattern[] = [
  {
    kind: 'private key',
    regex: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'token',
    regex: /\bey[JK][\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'key',
    // Prefixes that issuers publish so that scanners can find leaked keys.
    regex:
      /(?<![A-Za-z0-9])(?:(?:sk|pk|rk)[-_](?:[a-z]{2,8}[-_])*[A-Za-z0-9_-]{12,}|(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{12,}|xox[abeoprs]-[\w-]{8,}|xapp-[\w-]{8,}|AIza[\w-]{20,}|ya29\.[\w-]{10,}|hf_[A-Za-z0-9]{16,}|npm_[A-Za-z0-9]{16,}|pypi-[\w-]{16,}|dop_v1_[a-f0-9]{16,}|SG\.[\w-]{10,}\.[\w-]{10,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}|dckr_pat_[\w-]{12,}|lsv2_\w{10,}|gsk_\w{16,}|xai-[\w-]{16,}|tvly-[\w-]{10,})/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'secret',
    regex: /(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:"']*:[^\s/@"']+(?=@)/gi,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'secret',
    regex: /\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})/gi,
    group: 1,
    everywhere: true,
  },
  {
    kind: 'secret',
    regex:
      /(?:pass(?:word|wd|phrase|code)|\bpwd|\bpin(?:[_-]?code)?|\bcvv2?|\bcvc|secret(?:[_-]?(?:key|access[_-]?key))?|api[_-]?key|access[_-]?key|private[_-]?key|auth(?:orization|[_-]?token)?|(?:access|refresh|id|session|bearer|csrf|auth|api)[_-]?token|\btoken|session[_-]?(?:id|key)|cookie|signature|\bsig|credentials?)\\?["']?\s*[:=]\s*\\?["']?(?!(?:null|true|false|none|undefined)\b)(?:bearer\s+|basic\s+)?([^\s"'\\,;&}\])⟦]{3,})/gi,
    group: 1,
    everywhere: true,
  },
  {
    kind: 'email',
    regex: new RegExp(
      String.raw`[\p{L}\p{N}._%+'-]{1,64}?${AT}[\p{L}\p{N}-]{1,63}(?:(?:${DOT}[\p{L}\p{N}-]{1,63}){1,6}|…)|[\p{L}\p{N}._+-]{2,64}@…`,
      'giu',
    ),
    group: 0,
    everywhere: true,
  },
  {
    kind: 'account',
    regex: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    group: 0,
    everywhere: true,
  },
  { kind: 'ssn', regex: /(?<![\d-])\d{3}[- ]\d{2}[- ]\d{4}(?![\d-])/g, group: 0, everywhere: true },
  {
    kind: 'card',
    // Grouped like a card even when the check digit is wrong; as one run of digits only when it is right.
    regex: /(?<![\d.])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![\d])/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'card',
    regex: /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d])/g,
    group: 0,
    holds: isLuhn,
    everywhere: true,
  },
  {
    kind: 'phone',
    regex: /(?<![\w.+-])\+\d{1,3}[ .\-/]?(?:\(\d{1,4}\)[ .\-/]?)?\d(?:[ .\-/]?\d){5,13}(?!\d)/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'phone',
    regex: /(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\d-])/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'phone',
    regex:
      /\b(?:phone|mobile|cell|tel|fax|whatsapp)[\w ]{0,12}\\?["']?\s*[:=#.]?\s*\\?["']?(\(?\d[\d ().\-/]{5,18}\d)/gi,
    group: 1,
    everywhere: true,
  },
  {
    kind: 'phone',
    regex: /(?<![\w.])0\d{1,4}[ \-/]\d{3,4}[ -]?\d{3,5}(?![\d-])/g,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'ip',
    regex: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g,
    group: 0,
    holds: isAddress,
    everywhere: true,
  },
  {
    kind: 'user',
    regex:
      /(?<=(?:\/home\/|\/Users\/|\\{1,4}Users\\{1,4}|\/Users%2F|Documents and Settings\\{1,4}))[^/\\\s"':;,<>|⟦]+/gi,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'id',
    regex: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    group: 0,
    everywhere: true,
  },
  {
    kind: 'id',
    // A value that its key calls an id, in JSON inside text.
    regex:
      /(?:\b|_)(?:id|ids|uuid|guid|number|code|ref|reference|account|username|login)\\?["']\s*:\s*\\?["']([^"'\\\s⟦]{3,128})\\?["']/gi,
    group: 1,
    holds: (found) => /\d|_/.test(found),
    everywhere: false,
  },
  {
    kind: 'id',
    regex: /(?<![A-Za-z0-9])(?=[0-9a-f]*\d)[0-9a-f]{24,}(?![A-Za-z0-9])/gi,
    group: 0,
    everywhere: false,
  },
  {
    kind: 'key',
    regex: /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{24,}(?![A-Za-z0-9_-])/g,
    group: 0,
    holds: isRandom,
    everywhere: false,
  },
  { kind: 'id', regex: /#[A-Z]{0,4}-?\d{4,}\b/g, group: 0, everywhere: false },
  { kind: 'id', regex: /\b[A-Z]{1,5}[-_]?\d{4,}[A-Z0-9]*\b/g, group: 0, everywhere: false },
  // Names with a number, as accounts and vouchers have them: first_last_1234, voucher_12345.
  { kind: 'id', regex: /\b(?:[a-z]+(?:_[a-z]+)+_\d{3,}|[a-z]+_\d{5,})\b/g, group: 0, everywhere: false },
  // Record locators: six or more capitals and digits mixed.
  { kind: 'id', regex: /\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{6,12}\b/g, group: 0, everywhere: false },
  { kind: 'id', regex: /(?<![\w.,$€£+-])\d{7,}(?![\w%]|[.,]\d)/g, group: 0, everywhere: false },
]

/** Keys whose values are replaced whatever they look like, and the kind that they are replaced by. */
export const KEY_KINDS: readonly { readonly kind: string; readonly key: RegExp }[] = [
  {
    kind: 'secret',
    key: /pass(word|wd|phrase|code)|secret|api_?key|access_?key|private_?key|^auth|authorization|token$|cookie|credential|^pin(_?code)?$|^cvv2?$|^cvc$/i,
  },
  { kind: 'email', key: /e_?mail(_?address)?$/i },
  { kind: 'phone', key: /phone|mobile|^tel$|^fax$/i },
  { kind: 'ssn', key: /^ssn$|social_?security|national_?id|tax_?id|passport/i },
  {
    kind: 'card',
    key: /card_?(number|no)$|^pan$|^iban$|last_?(four|4)$|account_?(number|no)$|routing_?number/i,
  },
  { kind: 'id', key: /(^|_)(id|ids|uuid|guid)$|[a-z](Id|Ids|ID|UUID)$|(^|_)user_?name$|^login$/ },
  {
    kind: 'personal',
    key: /^(first|last|full|middle|sur|given|family|maiden)_?name$|^dob$|birth|^address\d?$|^street|^address_?\d$|^zip(_?code)?$|^post(al)?_?code$/i,
  },
]
