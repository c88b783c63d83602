"""Lists, trees and scrolling columns."""
