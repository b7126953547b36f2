// A forked core that says why it cannot start and ends, as the real one does for a file from a newer version.

import { Fault } from '../../src/base/fault.ts'
import { serve } from '../../src/base/rpc.ts'
import { parentChannel } from '../../src/core/parent.ts'

const channel = parentChannel()
if (channel === null) process.exit(2)
const fault = new Fault('DB_NEWER', 'Written by version 9.').toData()
serve(channel, () => null).emit({ type: 'failed', fault, path: '/a.fault' })
setTimeout(() => process.exit(1), 50)
