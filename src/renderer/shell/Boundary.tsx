// Boundary: a screen that throws is replaced by what went wrong; the frame stays. One per screen, reset when the
// place changes.

import { Component, type ReactNode } from 'react'
import { toFaultData, type FaultData } from '../../base/fault.ts'
import { Button } from '../kit/Button.tsx'
import { ErrorState } from '../kit/States.tsx'

type Props = { readonly resetKey: string; readonly children: ReactNode }
type State = { readonly fault: FaultData | null; readonly key: string }

/** Catches what its children throw while drawing. */
export class Boundary extends Component<Props, State> {
  override state: State = { fault: null, key: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    const fault = toFaultData(error)
    const stack = error instanceof Error ? error.stack : undefined
    return { fault: stack === undefined ? fault : { ...fault, details: stack.split('\n').slice(0, 12) } }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.key ? null : { fault: null, key: props.resetKey }
  }

  override render(): ReactNode {
    if (this.state.fault === null) return this.props.children
    return (
      <ErrorState
        fault={this.state.fault}
        title="This screen could not be drawn"
        actions={<Button onPress={() => this.setState({ fault: null })}>Try again</Button>}
      />
    )
  }
}
