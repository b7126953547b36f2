// The window's entry: styles and the app. Everything else stands in shell/.

import { createRoot } from 'react-dom/client'
import './kit/tokens.css'
import './kit/base.css'
import { makeQueryClient } from './bridge/queries.ts'
import { App } from './shell/App.tsx'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App client={makeQueryClient()} />)
