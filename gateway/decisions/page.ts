import { createHash } from 'node:crypto'
import type { ReadDecisionLink } from '#contract'

/** A page, with its HTTP status. */
export interface Page {
  readonly status: number
  readonly title: string
  readonly text: string
  /** The page has the button that decides. */
  readonly asks?: true
}

/** Every page, by what has happened. */
export const pages = {
  ask: { status: 200, title: 'Decide', text: 'Nothing has changed yet. Press the button to decide.', asks: true },
  decided: { status: 200, title: 'Decided', text: 'Your decision was recorded, and the flow goes on.' },
  used: { status: 409, title: 'Used before', text: 'This link was used before. Nothing has changed now.' },
  late: {
    status: 409,
    title: 'Too late',
    text: 'The case has another decision, has moved on, or has ended. Nothing has changed.',
  },
  expired: { status: 410, title: 'Expired', text: 'This link has expired. Nothing has changed.' },
  invalid: {
    status: 404,
    title: 'Not a link',
    text: 'This address is incomplete or altered. Nothing has changed. Open the whole link from the message.',
  },
  limited: { status: 429, title: 'Try again', text: 'This link was opened too often. Open it again in a minute.' },
  unavailable: {
    status: 503,
    title: 'Try again',
    text: 'The decision is not confirmed. Open the link again in a minute: it cannot count twice.',
  },
} as const satisfies Record<string, Page>

const sentences = {
  extend: (by = 'one more window') => `Wait longer: ${by} from now.`,
  cancel: () => 'Cancel the case, and free its lockers.',
  keepWaiting: () => 'Keep waiting, without a limit.',
} as const satisfies Record<ReadDecisionLink['decision'], (by?: string) => string>

const style =
  'body{font:1.1rem/1.5 sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}'

/** The source of the style in a Content-Security-Policy. */
export const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`

/** Writes a page. It has the case number and nothing of the flow, so that a forwarded link shows nothing about people. */
export function renderPage({ title, text, asks }: Page, link: ReadDecisionLink | undefined): string {
  const about =
    link === undefined
      ? []
      : [`<p>Case <bdi>${escapeText(link.caseNo)}</bdi>: ${escapeText(sentences[link.decision](link.by))}</p>`]
  const button = asks ? ['<form method="post"><button>Decide</button></form>'] : []
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`,
    `<style>${style}</style></head>`,
    `<body><h1>${title}</h1>`,
    ...about,
    `<p>${text}</p>`,
    ...button,
    '</body></html>\n',
  ].join('\n')
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.codePointAt(0)};`)
}
