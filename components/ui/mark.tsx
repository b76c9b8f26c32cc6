/** The studio's logo: a dot, and an arrow that goes out, turns, and comes back. It takes the color of the text around it. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" fill="none" className="shrink-0 text-accent">
      <circle cx="5" cy="6.5" r="2.5" fill="currentColor" />
      <path
        d="M10.5 6.5h4.5a5.5 5.5 0 0 1 0 11H4.5M9 13l-4.5 4.5L9 22"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
