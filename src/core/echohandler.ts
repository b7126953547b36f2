// What the echo entry answers. Apart from echo.ts so that the conformance suite can serve it in process, too.

import { Fault } from '../base/fault.ts'
import type { Handler } from '../base/rpc.ts'

/**
 * Answers echo (the input again), count (as many progress events as asked), fail (a Fault), break (an ordinary
 * Error) and wait (until cancelled). Every other method is NOT_FOUND.
 */
export const echoHandler: Handler = (method, input, { signal, progress }) => {
  switch (method) {
    case 'echo':
      return input
    case 'count':
      for (let index = 0; index < Number(input); index += 1) progress(index)
      return input
    case 'fail':
      throw new Fault('CONFLICT', 'Refused on purpose.', { hint: 'Try another.', where: 'echo' })
    case 'break':
      throw new TypeError('Broken on purpose.')
    case 'wait':
      progress('waiting')
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Fault('CANCELLED', 'Cancelled.')), { once: true })
      })
    default:
      throw new Fault('NOT_FOUND', `No method ${method}.`)
  }
}
